export class PochaError extends Error {
    problem;
    requestId;
    retryAfter;
    name = "PochaError";
    code;
    status;
    reason;
    constructor(problem, requestId, retryAfter) {
        super(problem.detail);
        this.problem = problem;
        this.requestId = requestId;
        this.retryAfter = retryAfter;
        this.code = problem.code;
        this.status = problem.status;
        this.reason = problem.reason;
    }
    get isPassing() {
        return this.status === 429 || this.status >= 500;
    }
}
export class NoAnswer extends Error {
    name = "NoAnswer";
}
export function is(error, code) {
    return error instanceof PochaError && error.code === code;
}

export * from "./client.js";
export * from "./fold.js";
export * from "./problems.js";
export type { EventSourceClass, EventSourceLike } from "./eventSource.js";
export type { Following } from "./stream.js";
export type * from "./contract.js";

export * from "./client.js";
export * from "./fold.js";
export * from "./problems.js";

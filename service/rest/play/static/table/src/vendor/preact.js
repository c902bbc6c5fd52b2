export * from "./preact-core.js";
export * from "./preact-hooks.js";

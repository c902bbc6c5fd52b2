// Copies the libraries that the table uses, as package-lock.json names them, to where the service serves them, with their licences.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";

const to = new URL(`${process.argv[2] ?? "../service/rest/play/static"}/table/src/vendor/`, import.meta.url);
const read = (path) => readFileSync(new URL(`node_modules/${path}`, import.meta.url), "utf8");
const write = (name, text) => writeFileSync(new URL(name, to), text);
const module = (path) => read(path).replace(/\n?\/\/# sourceMappingURL=.*\n?$/, "\n");

mkdirSync(to, { recursive: true });
write("preact-core.js", module("preact/dist/preact.module.js"));
write("preact-hooks.js", module("preact/hooks/dist/hooks.module.js").replace('from"preact"', 'from"./preact-core.js"'));
write("preact.js", 'export * from "./preact-core.js";\nexport * from "./preact-hooks.js";\n');
write("lean-qr.js", module("lean-qr/index.mjs"));
write("LICENSES", ["preact", "lean-qr"].map((name) => `${name}\n\n${read(`${name}/LICENSE`)}`).join("\n\n"));

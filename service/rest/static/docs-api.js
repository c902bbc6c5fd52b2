const contract = document.getElementById("contract");
const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
follow();
dark.addEventListener("change", follow);
SwaggerUIBundle({ url: contract.dataset.url, domNode: contract, deepLinking: true, docExpansion: "list", validatorUrl: null });

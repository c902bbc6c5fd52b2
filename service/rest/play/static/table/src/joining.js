import { PochaError } from "../../typescript/src/index.js";
import { explain, me, pocha } from "./session.js";
import { t } from "./i18n.js";
import { Problem } from "./parts.js";
import { Header } from "./home.js";
import { h, useState } from "./vendor/preact.js";
export function Joining({ id, code, tools }) {
    const [problem, setProblem] = useState();
    const [isBusy, setBusy] = useState(false);
    const open = () => location.replace(`#/t/${id}`);
    const sit = async () => {
        setBusy(true);
        setProblem(undefined);
        try {
            await pocha.join(id, code ? { invite_code: code } : {});
            open();
        }
        catch (error) {
            if (error instanceof PochaError && error.reason === "already-seated")
                return open();
            setProblem(explain(error));
        }
        setBusy(false);
    };
    return (h("div", { class: "home" },
        h(Header, { tools: tools }),
        h("main", { class: "narrow" },
            h("section", { class: "panel" },
                h("h1", null, t("invite")),
                h("p", null, t("playing_as", { name: me()?.display_name ?? "" })),
                h(Problem, { text: problem }),
                h("button", { class: "primary big", disabled: isBusy, onClick: () => void sit() }, t("enter")),
                !code && h("button", { onClick: open }, t("watch")),
                h("a", { class: "button", href: "#/" }, t("home"))))));
}

// Whoever opens an invitation.
import { PochaError } from "../../typescript/src/index.js";
import { explain, me, pocha } from "./session.js";
import { t } from "./i18n.js";
import { Problem } from "./parts.js";
import { Header } from "./home.js";
import { h, useState, type VNode } from "./vendor/preact.js";

export function Joining({ id, code, tools }: { id: string; code: string | undefined; tools: VNode }): VNode {
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const open = () => location.replace(`#/t/${id}`);
  const sit = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      await pocha.join(id, code ? { invite_code: code } : {});
      open();
    } catch (error) {
      if (error instanceof PochaError && error.reason === "already-seated") return open();
      setProblem(explain(error));
    }
    setBusy(false);
  };
  return (
    <div class="home">
      <Header tools={tools} />
      <main class="narrow">
        <section class="panel">
          <h1>{t("invite")}</h1>
          <p>{t("playing_as", { name: me()?.display_name ?? "" })}</p>
          <Problem text={problem} />
          <button class="primary big" disabled={isBusy} onClick={() => void sit()}>{t("enter")}</button>
          {!code && <button onClick={open}>{t("watch")}</button>}
          <a class="button" href="#/">{t("home")}</a>
        </section>
      </main>
    </div>
  );
}

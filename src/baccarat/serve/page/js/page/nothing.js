// An address at which there is nothing.
import { shell, turnAway } from "/page/js/shell.js";
import { t } from "/page/js/words.js";

await shell({ page: "" });
void turnAway({ message: t("nothing.say", { address: location.pathname }) });

// Before the first paint: the theme and the colours of suits that this person has chosen.
// @ts-check
{
  const root = document.documentElement,
    chosen = localStorage.getItem("theme");
  if (chosen === "light" || chosen === "dark") root.dataset.theme = chosen;
  if (localStorage.getItem("suits") === "four") root.dataset.suits = "four";
}

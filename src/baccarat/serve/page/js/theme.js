// Before the first paint: what the person has chosen that stylesheets depend on (settings.js).
// @ts-check
for (const name of ["theme", "suits", "speed"]) {
  const choice = localStorage.getItem(name);
  if (choice) document.documentElement.dataset[name] = choice;
}

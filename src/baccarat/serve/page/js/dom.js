// Elements made from data: everything inserted is text or an element, never markup.

/** An element; `on…` is a listener, a value that is null or false is left out. */
export function make(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key === "class") made.className = value;
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

export const at = (id) => document.getElementById(id);

/** Puts children in place of what an element holds, and leaves it alone where a summary of them is unchanged. */
export function fill(element, summary, children) {
  if (element.dataset.summary === summary) return;
  element.dataset.summary = summary;
  element.replaceChildren(...children());
}

// Building elements. Text enters the page as text nodes only, never as markup.

const NUMBER = new Intl.NumberFormat("en");

/** An element with properties and children; `null` children are left out. */
function el(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (key === "class") element.className = value;
    else if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

function count(number, noun, plural = `${noun}s`) {
  return `${NUMBER.format(number)} ${number === 1 ? noun : plural}`;
}

/** Copies `text`, and says so on the button for a moment. */
async function copy(button, text) {
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Could not copy";
  }
  setTimeout(() => (button.textContent = label), 1500);
}

function copyButton(label, text) {
  return el("button", { type: "button", class: "quiet", onclick: (event) => copy(event.currentTarget, text()) }, label);
}

function later(milliseconds, action) {
  let timer = 0;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...values), milliseconds);
  };
}

"use strict";
// Files of data are scripts that call put(): a page opened from the disk may load nothing else.

const arrived = new Map();
const waiting = new Map();

function put(name, content) {
  arrived.set(name, content);
}

// Load a file of data once.
function load(name) {
  if (!waiting.has(name)) {
    waiting.set(name, new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = `data/${encodeURIComponent(name)}.js`;
      script.onload = () => resolve(arrived.get(name));
      script.onerror = () => {
        waiting.delete(name);
        reject(new Error(`data/${name}.js cannot be read: make the page again (cr5 explore)`));
      };
      document.head.append(script);
    }));
  }
  return waiting.get(name);
}

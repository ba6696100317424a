// A player who knows no rules and clicks what is lit, within the page so that a whole game does not take minutes.
globalThis.boardkeeperTests = (() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const shownVersion = () => Number(document.querySelector(".history output").textContent.split("/")[0]);

  function chance(seed) {
    let state = seed >>> 0;
    return (below) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
  }

  // Resolves when something on the page has changed so that the condition holds.
  function until(holds) {
    return new Promise((resolve, reject) => {
      const found = holds();
      if (found) return resolve(found);
      const ended = setTimeout(() => {
        observer.disconnect();
        reject(new Error(`nothing came of it: ${document.querySelector(".status")?.textContent}`));
      }, 60_000);
      const observer = new MutationObserver(() => {
        const found = holds();
        if (!found) return;
        observer.disconnect();
        clearTimeout(ended);
        resolve(found);
      });
      observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
    });
  }

  // Whatever a click changes at once has been drawn by the next task.
  const drawn = () => new Promise((resolve) => setTimeout(resolve));

  // How many commands were given here, whoever gave them and however soon they were answered.
  let commands = 0;
  new MutationObserver((changes) => {
    commands += changes.filter(({ target, oldValue }) => target.matches(".options") && oldValue === "false").length;
  }).observe(document.body, { subtree: true, attributeFilter: ["aria-busy"], attributeOldValue: true });
  const given = () => commands;

  const click = (element) => element.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  const isOver = () => document.querySelector(".game[data-over]") !== null;
  const canAct = () => all(".options ol button:not(:disabled)").length > 0;

  // Clicks on what is lit until that gives a command, or no click tells any more what is meant.
  async function clicks(random, before) {
    for (let number = 0; number < 4; number++) {
      const lit = all(".stage .begins");
      if (lit.length === 0) return false;
      click(lit[random(lit.length)]);
      await drawn();
      if (document.querySelector(".options[aria-busy=true]") !== null || shownVersion() > before) return true;
    }
    return false;
  }

  // `rather`: words of a command that is given wherever it can be.
  async function play(most, seed, rather) {
    const random = chance(seed);
    const told = { clicked: 0, listed: 0, wanted: 0, commands: 0, refused: 0, over: 0 };
    while (told.commands < most) {
      await until(() => isOver() || canAct());
      if (isOver()) break;
      const before = shownVersion();
      const done = () => isOver() || shownVersion() > before || document.querySelector(".refusal") !== null;
      const refused = document.querySelector(".refusal");
      // What was legal may not be any more when it comes, where others act at the same time; but that is rare.
      if (refused && ++told.refused > 3) throw new Error(`refused: ${refused.textContent}`);
      const listed = () => all(".options ol button:not(:disabled)");
      const wanted = rather && listed().find(({ textContent }) => textContent.includes(rather));
      if (wanted) {
        click(wanted);
        told.wanted++; // the list was not needed: it was asked for
      } else if (await clicks(random, before)) told.clicked++;
      else {
        const left = listed();
        if (left.length === 0) continue;
        click(left[random(left.length)]);
        told.listed++;
      }
      told.commands++;
      await until(done);
    }
    told.over = isOver() ? 1 : 0;
    return told;
  }

  // At one moment, the version that is shown, and what lies in each zone as it is drawn: component to how many, where of a heap the number beside it
  // counts; of one of several kinds, how many all are.
  function shown() {
    const zones = {};
    for (const piece of all(".stage .piece")) {
      const [, zone, component] = piece.getAttribute("data-subject").split("|");
      zones[zone] ??= {};
      zones[zone][component] = (zones[zone][component] ?? 0) + 1;
    }
    for (const heap of all(".stage .badge")) {
      const [, zone, component] = heap.getAttribute("data-heap").split("|");
      if (component) zones[zone][component] = Number(heap.textContent);
      else zones[zone] = { all: Number(heap.textContent) };
    }
    return { version: shownVersion(), zones };
  }

  const zones = () => all(".stage .spot[data-subject]").map((spot) => spot.getAttribute("data-subject").split("|")[1]);

  return { given, play, shown, zones };
})();

// A player who clicks random highlighted items. It runs inside the page, so that a whole game does not take minutes.
globalThis.boardkeeperTests = (() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const shownVersion = () => Number(document.querySelector(".history output").textContent.split("/")[0]);

  function randomNumbers(seed) {
    let state = seed >>> 0;
    return (below) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
  }

  // Resolves with the first truthy result of the condition, which is tested after each change of the page.
  function until(holds) {
    return new Promise((resolve, reject) => {
      const found = holds();
      if (found) return resolve(found);
      const ended = setTimeout(() => {
        observer.disconnect();
        reject(new Error(`no result: ${document.querySelector(".status")?.textContent}`));
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

  // The immediate effects of a click are drawn before the next task.
  const drawn = () => new Promise((resolve) => setTimeout(resolve));

  // Number of commands submitted on this page, by this script or by the test.
  let commands = 0;
  new MutationObserver((changes) => {
    commands += changes.filter(({ target, oldValue }) => target.matches(".options") && oldValue === "false").length;
  }).observe(document.body, { subtree: true, attributeFilter: ["aria-busy"], attributeOldValue: true });
  const submissions = () => commands;

  const click = (element) => element.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  const isOver = () => document.querySelector(".game[data-over]") !== null;
  const canAct = () => all(".options ol button:not(:disabled)").length > 0;

  // Clicks highlighted items until a command is submitted; returns false if clicks do not lead to one.
  async function clickCommand(random, before) {
    for (let number = 0; number < 4; number++) {
      const lit = all(".stage .begins");
      if (lit.length === 0) return false;
      click(lit[random(lit.length)]);
      await drawn();
      if (document.querySelector(".options[aria-busy=true]") !== null || shownVersion() > before) return true;
    }
    return false;
  }

  // Plays at most `most` commands; prefers commands with the words `prefer`. Returns how the commands were submitted.
  async function play(most, seed, prefer) {
    const random = randomNumbers(seed);
    const counts = { clicked: 0, listed: 0, preferred: 0, commands: 0, rejected: 0, over: 0 };
    while (counts.commands < most) {
      await until(() => isOver() || canAct());
      if (isOver()) break;
      const before = shownVersion();
      const done = () => isOver() || shownVersion() > before || document.querySelector(".refusal") !== null;
      const rejection = document.querySelector(".refusal");
      // If others act at the same time, a command may no longer be legal when it arrives; but that is rare.
      if (rejection && ++counts.rejected > 3) throw new Error(`rejected: ${rejection.textContent}`);
      const listed = () => all(".options ol button:not(:disabled)");
      const preferred = prefer && listed().find(({ textContent }) => textContent.includes(prefer));
      if (preferred) {
        click(preferred);
        counts.preferred++;
      } else if (await clickCommand(random, before)) counts.clicked++;
      else {
        const left = listed();
        if (left.length === 0) continue;
        click(left[random(left.length)]);
        counts.listed++;
      }
      counts.commands++;
      await until(done);
    }
    counts.over = isOver() ? 1 : 0;
    return counts;
  }

  // Returns the shown version, and the drawn numbers of components by zone. For a heap, the number on its badge counts;
  // a heap of several kinds only has its total, `all`.
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

  return { submissions, play, shown, zones };
})();

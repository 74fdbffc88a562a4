(function () {
  "use strict";
  var list = function (selector, within) { return Array.prototype.slice.call((within || document).querySelectorAll(selector)); };
  var root = document.documentElement, pages = list(".page"), entries = list(".side li");

  // A formula that is too wide for its place, though it may break before its signs, is set smaller.
  function fit(within) {
    var maths = list("math", within);
    maths.forEach(function (math) { math.style.fontSize = ""; });
    maths.map(function (math) {
      var place = math.closest(".formula, .row > span, li, td, th, summary, p, h2, h3, h4, div");
      var style = getComputedStyle(place);
      var room = place.clientWidth ? place.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) : place.getBoundingClientRect().width;
      // an element never grows beyond its place, what is in it does
      var inside = list(":scope > *", math).reduce(function (sum, child) { return sum + child.getBoundingClientRect().width; }, 0);
      return [math, room - 1.5, Math.max(inside, math.scrollWidth, math.getBoundingClientRect().width)];
    }).forEach(function (found) {
      if (found[1] > 0 && found[2] > found[1]) {
        var size = parseFloat(getComputedStyle(found[0]).fontSize) * found[1] / found[2];
        found[0].style.fontSize = Math.max(6.5, Math.floor(size * 10 - 1) / 10) + "px";
      }
    });
  }
  // One page at a time: an address #label opens the page that holds it.
  window.fitFormulas = fit;
  // In the graph: everything that the proof of a claim uses, directly or not.
  function ancestors(label) {
    var arrows = list("#graph path[data-user]"), used = {}, todo = label ? [label] : [];
    while (todo.length) {
      var next = todo.pop();
      used[next] = true;
      arrows.forEach(function (arrow) { if (arrow.dataset.user === next && !used[arrow.dataset.used]) { todo.push(arrow.dataset.used); } });
    }
    arrows.forEach(function (arrow) { arrow.style.opacity = !label || used[arrow.dataset.user] ? "" : 0.12; });
    var names = [];
    list("#graph a").forEach(function (box) {
      var own = box.id.slice(6);
      box.style.opacity = !label || used[own] ? "" : 0.25;
      if (label && used[own] && own !== label) { names.push(box.querySelector("text").textContent); }
    });
    var said = document.getElementById("rests-on");
    said.textContent = "";
    if (label) {
      var read = document.createElement("a");
      read.href = "#" + label;
      read.textContent = "Read " + label;
      said.append(read, names.length ? "; it rests on " + names.join(", ") + "." : "; it rests on no other statement of the paper.");
    }
  }
  function open(scroll) {
    var id = decodeURIComponent(location.hash.slice(1)), asked = id.indexOf("graph:") === 0 ? id.slice(6) : "";
    var target = id && document.getElementById(id);
    ancestors(asked);
    var page = (target && target.closest(".page")) || pages[0];
    pages.forEach(function (other) { other.classList.toggle("open", other === page); });
    for (var holder = target; holder; holder = holder.parentElement) { if (holder.tagName === "DETAILS") { holder.open = true; } }
    list(".side a").forEach(function (link) { link.classList.toggle("here", link.getAttribute("href") === "#" + page.id); });
    fit(page);
    if (scroll) { (target && target !== page ? target : page).scrollIntoView(); }
    if (target === page || !target) { window.scrollTo(0, 0); }
  }
  // A click shows what a claim rests on, a second one the claim.
  list("#graph a").forEach(function (box) {
    box.addEventListener("click", function (event) {
      if (decodeURIComponent(location.hash) !== "#" + box.id) { event.preventDefault(); location.hash = box.id; }
    });
  });
  window.addEventListener("hashchange", function () { open(true); });
  window.addEventListener("resize", function () { fit(document.querySelector(".page.open")); });
  // A statement in Coq, when opened: links to the definitions that it names.
  function define(holder) {
    var text = holder.closest("#coq") && holder.querySelector("pre"), words = {};
    if (!text || holder.querySelector(".names")) { return; }
    text.textContent.match(/[\w']+/g).forEach(function (word) { words[word] = true; });
    var line = document.createElement("p");
    line.className = "small names";
    list('#coq [id^="def:"]').forEach(function (known) {
      var name = known.id.split(".").pop(); // one letter is a variable
      if (known === holder || name.length < 2 || !words[name]) { return; }
      var link = document.createElement("a");
      link.href = "#" + known.id;
      link.textContent = known.id.slice(4);
      line.append(line.childNodes.length ? ", " : "Definitions: ", link);
    });
    holder.append(line);
  }
  document.addEventListener("toggle", function (event) { if (event.target.open) { define(event.target); fit(event.target); } }, true);

  // Search: every word must occur in what the page says.
  var box = document.getElementById("search"), found = document.getElementById("found");
  var texts = null; // of all pages, made when somebody searches
  function search() {
    if (!texts) {
      texts = {};
      pages.forEach(function (page) { texts[page.id] = (page.id + " " + page.textContent).toLowerCase(); });
    }
    var words = box.value.toLowerCase().split(/\s+/).filter(Boolean), count = 0;
    entries.forEach(function (entry) {
      var text = texts[entry.firstElementChild.getAttribute("href").slice(1)] || "";
      var keep = words.every(function (word) { return text.indexOf(word) >= 0; });
      entry.classList.toggle("none", !keep);
      count += keep ? 1 : 0;
    });
    list(".side ul").forEach(function (group) {
      var empty = !group.querySelector("li:not(.none)");
      if (group.previousElementSibling && group.previousElementSibling.tagName === "B") { group.previousElementSibling.classList.toggle("none", empty); }
    });
    found.textContent = words.length ? count + " of " + entries.length + " pages" : "";
  }
  box.addEventListener("input", search);
  box.addEventListener("keydown", function (event) {
    var first = event.key === "Enter" && document.querySelector(".side li:not(.none) a");
    if (first) { location.hash = first.getAttribute("href"); }
  });

  // The table of all claims.
  var controls = list("[data-filter]"), rows = list("table.claims tbody tr");
  function apply() {
    var count = 0;
    rows.forEach(function (row) {
      var keep = controls.every(function (control) {
        var wanted = control.value.trim().toLowerCase(), name = control.dataset.filter;
        if (!wanted) { return true; }
        return name === "text" ? row.textContent.toLowerCase().indexOf(wanted) >= 0 : row.dataset[name].toLowerCase() === wanted;
      });
      row.hidden = !keep;
      row.style.display = keep ? "" : "none";
      count += keep ? 1 : 0;
    });
    document.getElementById("shown").textContent = count + " of " + rows.length;
  }
  controls.forEach(function (control) { control.addEventListener("input", apply); });
  apply();

  // Light and dark: as the system has it, until somebody chooses.
  document.getElementById("theme").addEventListener("click", function () {
    var dark = root.dataset.theme ? root.dataset.theme === "dark" : window.matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  });
  var side = document.querySelector(".side");
  if (window.matchMedia("(max-width: 62rem)").matches) { side.open = false; }
  list(".side a").forEach(function (link) {
    link.addEventListener("click", function () { if (window.matchMedia("(max-width: 62rem)").matches) { side.open = false; } });
  });
  window.addEventListener("beforeprint", function () { list("math").forEach(function (math) { math.style.fontSize = ""; }); });
  open(true);
})();

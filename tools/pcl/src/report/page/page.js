// SPDX-License-Identifier: GPL-2.0
/*
 * The page of pcl report --html: draws what model.js works out, and listens.
 *
 * Concepts: what is chosen (event, command, direction, zoom, search) is in the
 * object chosen, what is worked out of it in the object drawn; draw() makes the
 * graph and the table of both. Names come out of
 * recordings, and are only ever set as text.
 */
"use strict";

const ROW_PX = 17, LEAST_PX = 0.7, TABLE_ROWS = 200;
const element = (id) => document.getElementById(id);
const profile = JSON.parse(element("profile").textContent);
const chosen = { event: 0, comm: -1, up: false, only: -1, zoom: 0, at: 0, search: "", sort: "self", all: false };
const drawn = {};

function make(tag, attributes, ...kids) {
	const e = document.createElement(tag);

	for (const [name, value] of Object.entries(attributes)) {
		if (name.startsWith("on"))
			e.addEventListener(name.slice(2), value);
		else
			e.setAttribute(name, value);
	}
	e.append(...kids);
	return e;
}

function percent(part, all) {
	return (all ? 100 * part / all : 0).toFixed(2) + "%";
}

function amount(period) {
	const event = profile.events[chosen.event];

	if (!event.is_time)
		return period.toLocaleString("en") + " " + event.name;
	return period < 1e9 ? (period / 1e6).toFixed(3) + " ms" : (period / 1e9).toFixed(3) + " s";
}

function nameOf(node) {
	const f = drawn.tree.func[node];

	return node ? profile.funcs.name[f] : chosen.only >= 0 ? "callers of " + profile.funcs.name[chosen.only] : "all";
}

/* A function keeps its colour; those of the kernel are blue, others from red to yellow. */
function colourOf(f) {
	const name = profile.funcs.name[f];
	let hash = 0;

	for (let i = 0; i < name.length; i++)
		hash = (hash * 31 + name.charCodeAt(i)) | 0;
	hash = (hash >>> 0) % 1000 / 1000;
	return `hsl(${profile.funcs.level[f] === "k" ? 195 + 35 * hash : 5 + 50 * hash} 70% var(--box))`;
}

function describe(node) {
	const { tree } = drawn, f = tree.func[node], { funcs } = profile, detail = element("detail");
	const parts = [amount(tree.whole[node]), percent(tree.whole[node], drawn.total) + " of all"];

	if (chosen.zoom)
		parts.push(percent(tree.whole[node], tree.whole[chosen.zoom]) + " of what is shown");
	if (node)
		parts.push(profile.objects[funcs.object[f]]);
	if (node && funcs.inlined[f])
		parts.push("inlined");
	detail.replaceChildren(make("strong", {}, nameOf(node)), make("br", {}), parts.join(", "));
	for (const box of element("graph").querySelectorAll(`.at, [data-node="${node}"]`))
		box.classList.toggle("at", Number(box.dataset.node) === node);
	chosen.at = node;
}

function drawGraph() {
	const graph = element("graph"), width = graph.clientWidth || 1000, { tree } = drawn;
	const boxes = layOut(tree, chosen.zoom, LEAST_PX / width), { match } = drawn;
	let depth = 0;

	graph.replaceChildren(...boxes.map((box) => {
		const f = tree.func[box.node], e = make("div", { "data-node": box.node });

		if (box.width * width > 12)
			e.textContent = nameOf(box.node);
		e.style.left = 100 * box.x + "%";
		e.style.width = 100 * box.width + "%";
		e.style.top = ROW_PX * box.depth + "px";
		e.style.background = box.node ? colourOf(f) : "var(--line)";
		e.classList.toggle("inlined", box.node > 0 && profile.funcs.inlined[f] === 1);
		e.classList.toggle("above", box.above);
		e.classList.toggle("hit", box.node > 0 && match !== null && match(profile.funcs.name[f]));
		depth = Math.max(depth, box.depth);
		return e;
	}));
	graph.style.height = ROW_PX * (depth + 1) + "px";
	element("matched").textContent = match ? percent(matched(profile, drawn.of, match), drawn.total) + " matched" : "";
	describe(chosen.at < tree.func.length && boxes.some((b) => b.node === chosen.at) ? chosen.at : chosen.zoom);
}

/* Only what the changes concern is worked out anew. */
function choose(changes) {
	const concerns = (...names) => names.some((name) => name in changes);

	Object.assign(chosen, changes);
	if (concerns("event", "comm"))
		workOut();
	if (concerns("event", "comm", "up", "only"))
		growTree();
	if (concerns("search"))
		drawn.match = matcher(chosen.search);
	draw();
}

function drawTable() {
	const { match } = drawn, { funcs } = profile;
	const list = drawn.functions.filter((e) => !match || match(funcs.name[e.func]));
	const title = (key, text) => make("th", { class: "number", "aria-sort": chosen.sort === key ? "descending" : "none" },
		make("button", { type: "button", onclick: () => choose({ sort: key }) }, text + (chosen.sort === key ? " ▾" : "")));

	list.sort((a, b) => b[chosen.sort] - a[chosen.sort]);
	const shown = chosen.all ? list : list.slice(0, TABLE_ROWS);
	element("functions").replaceChildren(
		make("thead", {}, make("tr", {}, title("self", "self"), title("whole", "with callees"), title("samples", "samples"),
			make("th", {}, "function"), make("th", {}, "object"))),
		make("tbody", {}, ...shown.map((e) => make("tr", {},
			make("td", { class: "number" }, percent(e.self, drawn.total)),
			make("td", { class: "number" }, percent(e.whole, drawn.total)),
			make("td", { class: "number" }, String(e.samples)),
			make("td", {}, make("button", { type: "button", title: "who calls it",
				onclick: () => choose({ up: true, only: e.func, zoom: 0, at: 0 }) }, funcs.name[e.func])),
			make("td", { class: "object" }, profile.objects[funcs.object[e.func]])))));
	element("more").hidden = shown.length === list.length;
	element("more").textContent = `${list.length - shown.length} more`;
}

/* What depends on the event and the command. */
function workOut() {
	drawn.of = weigh(profile, chosen.event, chosen.comm);
	drawn.total = drawn.of.period.reduce((sum, v) => sum + v, 0);
	drawn.functions = listFunctions(profile, drawn.of);
}

function growTree() {
	drawn.tree = chosen.up ? callerTree(profile, drawn.of, chosen.only) : calleeTree(profile, drawn.of);
}

function draw() {
	drawGraph();
	drawTable();
	element("reset").disabled = !chosen.zoom && chosen.only < 0;
	element("direction").value = chosen.up ? "up" : "down";
}

/* The node that an arrow key leads to from the one that is marked. */
function neighbour(key) {
	const { tree } = drawn, at = chosen.at, siblings = at ? tree.kids[tree.parent[at]] : [at];

	switch (key) {
	case "ArrowUp":
		return tree.parent[at];
	case "ArrowDown":
		return tree.kids[at].length ? tree.kids[at][0] : at;
	case "ArrowLeft":
		return siblings[Math.max(0, siblings.indexOf(at) - 1)];
	case "ArrowRight":
		return siblings[Math.min(siblings.length - 1, siblings.indexOf(at) + 1)];
	default:
		return -1;
	}
}

function onKey(event) {
	const next = neighbour(event.key);

	if (event.key === "Enter")
		choose({ zoom: chosen.at });
	else if (event.key === "Escape")
		choose({ zoom: 0, at: 0, only: -1 });
	else if (next >= 0)
		describe(next);
	else
		return;
	event.preventDefault();
}

function select(id, label, texts, onchange) {
	const e = make("select", { id, onchange: () => onchange(e.value) },
		...texts.map(([value, text]) => make("option", { value }, text)));

	return make("label", {}, label + " ", e);
}

function controls() {
	const list = [];

	if (profile.events.length > 1)
		list.push(select("event", "event", profile.events.map((e, i) => [i, `${e.name} (${e.samples} samples)`]),
			(v) => choose({ event: Number(v), zoom: 0, at: 0 })));
	if (profile.comms.length > 1)
		list.push(select("comm", "command", [[-1, "all"], ...profile.comms.map((c, i) => [i, c])],
			(v) => choose({ comm: Number(v), zoom: 0, at: 0 })));
	list.push(select("direction", "graph", [["down", "whom they call, from the outermost"], ["up", "who calls them, from the sampled"]],
		(v) => choose({ up: v === "up", only: -1, zoom: 0, at: 0 })));
	list.push(make("label", {}, "search ", make("input", { id: "search", type: "search", size: 24, placeholder: "regular expression",
		oninput: (e) => choose({ search: e.target.value }) })));
	list.push(make("span", { id: "matched", role: "status" }));
	list.push(make("button", { id: "reset", type: "button", onclick: () => choose({ zoom: 0, at: 0, only: -1 }) }, "whole graph"));
	return make("form", { onsubmit: (e) => e.preventDefault() }, ...list);
}

function start() {
	const nodeAt = (event) => {
		const box = event.target.closest("[data-node]");

		return box ? Number(box.dataset.node) : -1;
	};
	const largest = profile.events.reduce((best, e, i) => e.samples > profile.events[best].samples ? i : best, 0);

	element("view").replaceChildren(controls(),
		make("div", { id: "graph", tabindex: 0, role: "application",
			"aria-label": "flame graph: arrows move, Enter zooms, Escape shows all", onkeydown: onKey,
			onclick: (e) => nodeAt(e) >= 0 && choose({ zoom: nodeAt(e), at: nodeAt(e) }),
			onmouseover: (e) => nodeAt(e) >= 0 && describe(nodeAt(e)) }),
		make("p", { id: "detail", "aria-live": "polite" }),
		make("h2", {}, "Functions"),
		make("table", { id: "functions" }),
		make("button", { id: "more", type: "button", onclick: () => choose({ all: true }) }));
	if (element("event"))
		element("event").value = largest;
	choose({ event: largest, search: "" });
	addEventListener("resize", drawGraph);
	addEventListener("keydown", (e) => {
		if (e.key !== "/" || e.target.tagName === "INPUT")
			return;
		e.preventDefault();
		element("search").focus();
	});
}

start();

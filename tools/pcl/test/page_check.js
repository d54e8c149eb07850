// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the page of pcl report --html, as TAP.
 * Usage: page_check.js model MODEL.JS        what it works out, against a profile worked by hand
 *        page_check.js totals PAGE JSON      functions of the page and of pcl report --json -s symbol,object
 *        page_check.js use PAGE FUNCTIONS    as a reader uses it; FUNCTIONS, with commas: a stack that is in it, outermost first
 *        page_check.js comm PAGE COMMAND     the command's name is there, as a text only
 */
"use strict";
const fs = require("fs");
let count = 0, failed = 0;

function is(name, got, want) {
	const good = JSON.stringify(got) === JSON.stringify(want);

	failed += !good;
	console.log(`${good ? "ok" : "not ok"} ${++count} - ${name}`);
	if (!good)
		console.log(`# wanted ${JSON.stringify(want)}, got ${JSON.stringify(got)}`);
}

/* main calls outer and hot, outer calls hot and itself; something is inlined into hot. */
function handWorked() {
	return {
		funcs: { name: ["main", "outer", "hot", "small"], object: [0, 0, 0, 0], level: [".", ".", ".", "."], inlined: [0, 0, 0, 1] },
		stacks: { caller: [0, 0, 1, 2, 1, 2, 5, 3], func: [0, 0, 1, 2, 2, 1, 2, 3] },
		rows: { event: [0, 0, 0, 0, 1], comm: [0, 0, 1, 1, 0], stack: [3, 4, 6, 7, 1], period: [40, 10, 20, 30, 5], samples: [4, 1, 2, 3, 5] },
	};
}

function checkModel(file) {
	const m = require(file), p = handWorked(), of = m.weigh(p, 0, -1), sum = (v) => v.reduce((a, b) => a + b, 0);
	let tree;

	is("weigh: the event's period", sum(of.period), 100);
	is("weigh: its samples", sum(of.samples), 10);
	is("weigh: of one command", sum(m.weigh(p, 0, 1).period), 50);
	is("weigh: of the other event", sum(m.weigh(p, 1, -1).period), 5);
	is("functions: self, samples, and whole once for one that calls itself",
		m.listFunctions(p, of).map((e) => [p.funcs.name[e.func], e.self, e.samples, e.whole]),
		[["hot", 100, 10, 100], ["main", 0, 0, 100], ["outer", 0, 0, 90], ["small", 0, 0, 30]]);
	tree = m.calleeTree(p, of);
	is("callees: the period of each node", [...tree.whole], [100, 100, 90, 70, 10, 20, 20, 30]);
	is("callees: the largest first", tree.kids[1], [2, 4]);
	is("layout: all", m.layOut(tree, 0, 0).length, 8);
	is("layout: where the smaller callee is", m.layOut(tree, 0, 0).filter((b) => b.node === 4).map((b) => [b.x, b.width, b.depth]), [[0.9, 0.1, 2]]);
	is("layout: too narrow", m.layOut(tree, 0, 0.15).some((b) => b.node === 4), false);
	is("layout: zoomed, ancestors fill the width",
		m.layOut(tree, 2, 0).map((b) => [b.node, b.depth, b.above]).filter((b) => b[1] < 3),
		[[0, 0, true], [1, 1, true], [2, 2, false]]);
	is("layout: zoomed, shares are of the node", m.layOut(tree, 2, 0).filter((b) => b.node === 3).map((b) => b.width), [70 / 90]);
	tree = m.callerTree(p, of, -1);
	is("callers: the sampled functions", tree.kids[0].map((n) => [p.funcs.name[tree.func[n]], tree.whole[n]]), [["hot", 70], ["small", 30]]);
	is("callers: of hot", tree.kids[tree.kids[0][0]].map((n) => [p.funcs.name[tree.func[n]], tree.whole[n]]), [["outer", 60], ["main", 10]]);
	tree = m.callerTree(p, of, 1);
	is("callers of outer: whole", tree.whole[0], 90);
	is("callers of outer: who", tree.kids[tree.kids[0][0]].map((n) => [p.funcs.name[tree.func[n]], tree.whole[n]]), [["main", 70], ["outer", 20]]);
	is("search: a regular expression, of any case", m.matcher("^H.t$")("hot"), true);
	is("search: one that does not match", m.matcher("^ot")("hot"), false);
	is("search: no regular expression is a text", ["a(b", "ab"].map(m.matcher("(")), [true, false]);
	is("search: nothing", m.matcher(""), null);
	is("search: period of the stacks", m.matched(p, of, m.matcher("outer|small")), 90);
}

function open(file) {
	const { JSDOM } = require("jsdom");

	return new JSDOM(fs.readFileSync(file, "utf8"), { runScripts: "dangerously" }).window;
}

function profileOf(file) {
	return JSON.parse(open(file).document.getElementById("profile").textContent);
}

/* Periods by function and object, as text and in order. */
function checkTotals(page, json) {
	const p = profileOf(page), table = JSON.parse(fs.readFileSync(json, "utf8")).tables, { funcs, stacks, rows } = p;

	table.forEach((t, event) => {
		const sums = new Map();
		const add = (name, period) => sums.set(name, (sums.get(name) || 0) + period);

		rows.stack.forEach((stack, i) => {
			if (rows.event[i] !== event)
				return;
			while (funcs.inlined[stacks.func[stack]] && stacks.caller[stack])
				stack = stacks.caller[stack];
			add(funcs.name[stacks.func[stack]].replace(/^\[unknown\].*/, "") + "|" + p.objects[funcs.object[stacks.func[stack]]], rows.period[i]);
		});
		for (const e of t.entries)
			add((e.symbol || "") + "|" + e.object, -e.period);
		is(`event ${p.events[event].name}: ${t.entries.length} functions as report has them`,
			[...sums].filter(([, period]) => period), []);
		is(`event ${p.events[event].name}: it has some`, t.entries.length > 0, true);
	});
}

function checkUse(file, stack) {
	const window = open(file), { document } = window, at = (id) => document.getElementById(id);
	const boxes = () => [...document.querySelectorAll("#graph div")];
	const labels = () => boxes().map((b) => b.textContent);
	const key = (k) => at("graph").dispatchEvent(new window.KeyboardEvent("keydown", { key: k, bubbles: true }));
	const marked = () => document.querySelector("#detail strong").textContent;
	const leaf = stack[stack.length - 1];
	const set = (id, value, type) => {
		at(id).value = value;
		at(id).dispatchEvent(new window.Event(type, { bubbles: true }));
	};

	is("the graph has the stack", stack.filter((f) => labels().includes(f)), stack);
	is("tables for readers without scripts are gone", document.querySelectorAll("main table").length, 1);
	is("the table begins with the largest", document.querySelector("#functions tbody tr button").textContent, leaf);
	is("the whole graph is shown", at("reset").disabled, true);
	boxes().find((b) => b.textContent === stack[1]).click();
	is("a click zooms: callers stay above", boxes().filter((b) => b.classList.contains("above")).map((b) => b.textContent).includes(stack[0]), true);
	is("a click zooms: the way back", at("reset").disabled, false);
	is("a click says what is there", marked(), stack[1]);
	key("ArrowDown");
	is("arrow down: the callee", marked(), stack[2]);
	key("ArrowUp");
	is("arrow up: the caller", marked(), stack[1]);
	key("Escape");
	is("Escape: the whole graph", at("reset").disabled, true);
	set("search", `^${leaf}$`, "input");
	is("search marks what matches", boxes().filter((b) => b.classList.contains("hit")).every((b) => ["", leaf].includes(b.textContent)), true);
	is("search marks something", document.querySelectorAll("#graph .hit").length > 0, true);
	is("search says how much", /^[1-9][0-9.]*% matched$/.test(at("matched").textContent), true);
	is("search narrows the table", [...document.querySelectorAll("#functions tbody button")].map((b) => b.textContent), [leaf]);
	set("search", "", "input");
	set("direction", "up", "change");
	is("from the sampled up: its first is the leaf", labels()[1], leaf);
	document.querySelector("#functions tbody tr button").click();
	is("a function's name: who calls it", labels()[0], `callers of ${leaf}`);
	at("reset").click();
	set("event", "1", "change");
	is("another event: another table", document.querySelector("#functions tbody") !== null, true);
	is("another event: its period", at("detail").textContent.includes("100.00% of all"), true);
}

function checkComm(file, comm) {
	const { document } = open(file);

	is("the command is a text in the page", [...document.querySelectorAll("#comm option")].some((o) => o.textContent === comm), true);
	is("the command is no element", document.querySelectorAll("b").length, 0);
	is("the page ended where it ends", document.querySelectorAll("script").length, 2);
}

const [what, ...rest] = process.argv.slice(2);
({ model: checkModel, totals: checkTotals, use: (page, list) => checkUse(page, list.split(",")), comm: checkComm })[what](...rest);
console.log(`1..${count}`);
process.exitCode = failed ? 1 : 0;

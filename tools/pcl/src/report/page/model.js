// SPDX-License-Identifier: GPL-2.0
/*
 * What the page of pcl report --html shows, worked out of the profile; nothing
 * here knows of the document.
 *
 * Concepts: a profile has functions, stacks (a function and the stack of its
 * caller, whose number is smaller; 0 is nobody) and rows (an event, a command
 * and a stack, with the period and the number of its samples). A tree has nodes:
 * their function, parent, children and the period of all stacks through them.
 */
"use strict";

/* The period and samples of each stack, of one event and of one command (-1: all). */
function weigh(profile, event, comm) {
	const rows = profile.rows, nr = profile.stacks.func.length;
	const of = { period: new Float64Array(nr), samples: new Float64Array(nr) };

	for (let i = 0; i < rows.stack.length; i++) {
		if (rows.event[i] !== event || (comm >= 0 && rows.comm[i] !== comm))
			continue;
		of.period[rows.stack[i]] += rows.period[i];
		of.samples[rows.stack[i]] += rows.samples[i];
	}
	return of;
}

/* Which function has the code that was sampled: inlined ones have none of their own. */
function ownerOf(profile, stack) {
	const { caller, func } = profile.stacks;

	while (profile.funcs.inlined[func[stack]] && caller[stack])
		stack = caller[stack];
	return func[stack];
}

/* Each function, with what was sampled in it (self) and in what it called (whole). Largest self first. */
function listFunctions(profile, of) {
	const { caller, func } = profile.stacks, found = new Map();
	const seen = new Int32Array(profile.funcs.name.length);
	const at = (f) => {
		if (!found.has(f))
			found.set(f, { func: f, self: 0, samples: 0, whole: 0 });
		return found.get(f);
	};

	for (let stack = 1; stack < func.length; stack++) {
		if (!of.samples[stack])
			continue;
		const owner = at(ownerOf(profile, stack));
		owner.self += of.period[stack];
		owner.samples += of.samples[stack];
		/* a function that calls itself counts once */
		for (let s = stack; s; s = caller[s]) {
			if (seen[func[s]] === stack)
				continue;
			seen[func[s]] = stack;
			at(func[s]).whole += of.period[stack];
		}
	}
	return [...found.values()].sort((a, b) => b.self - a.self || b.whole - a.whole ||
		(profile.funcs.name[a.func] < profile.funcs.name[b.func] ? -1 : 1));
}

function sortKids(tree) {
	for (const list of tree.kids)
		list.sort((a, b) => tree.whole[b] - tree.whole[a] || tree.func[a] - tree.func[b]);
	return tree;
}

/* From the outermost functions to those that they call: the stacks as they are. */
function calleeTree(profile, of) {
	const { caller, func } = profile.stacks;
	const tree = { func, parent: caller, whole: Float64Array.from(of.period), kids: func.map(() => []) };

	for (let i = func.length - 1; i > 0; i--) {
		tree.whole[caller[i]] += tree.whole[i];
		if (tree.whole[i] > 0)
			tree.kids[caller[i]].push(i);
	}
	return sortKids(tree);
}

/* From the sampled functions to their callers; or from one function (only >= 0). */
function callerTree(profile, of, only) {
	const { caller, func } = profile.stacks, nodes = new Map();
	const tree = { func: [-1], parent: [0], whole: [0], kids: [[]] };
	const step = (parent, f) => {
		const key = parent * profile.funcs.name.length + f;
		let node = nodes.get(key);

		if (node === undefined) {
			node = tree.func.length;
			nodes.set(key, node);
			tree.func.push(f);
			tree.parent.push(parent);
			tree.whole.push(0);
			tree.kids.push([]);
			tree.kids[parent].push(node);
		}
		return node;
	};

	for (let stack = 1; stack < func.length; stack++) {
		let s = stack, node = 0;

		if (!(of.period[stack] > 0))
			continue;
		while (s && only >= 0 && func[s] !== only)
			s = caller[s];
		if (!s)
			continue;
		tree.whole[0] += of.period[stack];
		for (; s; s = caller[s]) {
			node = step(node, func[s]);
			tree.whole[node] += of.period[stack];
		}
	}
	return sortKids(tree);
}

/*
 * The boxes of a tree below a node, which with its ancestors fills the width:
 * { node, x, width (parts of 1), depth, above (is an ancestor) }. Those narrower
 * than least are left out.
 */
function layOut(tree, zoom, least) {
	const above = [], boxes = [], open = [];

	for (let n = zoom; n; n = tree.parent[n])
		above.unshift(n);
	for (const node of [0, ...above])
		boxes.push({ node, x: 0, width: 1, depth: boxes.length, above: node !== zoom });
	open.push(boxes[boxes.length - 1]);
	while (open.length) {
		const box = open.pop();
		let x = box.x;

		for (const kid of tree.kids[box.node]) {
			const width = tree.whole[kid] / tree.whole[zoom];

			/* the others are no wider */
			if (!(width >= least))
				break;
			boxes.push({ node: kid, x, width, depth: box.depth + 1, above: false });
			open.push(boxes[boxes.length - 1]);
			x += width;
		}
	}
	return boxes;
}

/* Does a name have what is searched for? A text that is no regular expression is meant as it stands. */
function matcher(text) {
	let pattern;

	if (!text)
		return null;
	try {
		pattern = new RegExp(text, "i");
	} catch (e) {
		return (name) => name.toLowerCase().includes(text.toLowerCase());
	}
	return (name) => pattern.test(name);
}

/* The period of all stacks through a function whose name matches. */
function matched(profile, of, match) {
	const { caller, func } = profile.stacks, hit = profile.funcs.name.map((name) => match(name));
	let period = 0;

	for (let stack = 1; stack < func.length; stack++) {
		let s = stack;

		while (s && !hit[func[s]])
			s = caller[s];
		if (s)
			period += of.period[stack];
	}
	return period;
}

if (typeof module !== "undefined")
	module.exports = { weigh, ownerOf, listFunctions, calleeTree, callerTree, layOut, matcher, matched };

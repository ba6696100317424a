// Print the exports of packages as JSON for typescript.py: node typescript.mjs COMPILER FILE.d.ts …
//
// The compiler's declaration files contain the comments of the sources and all types, but nothing private.
import path from "node:path";
import { pathToFileURL } from "node:url";

const [compiler, ...files] = process.argv.slice(2);
const { default: ts } = await import(pathToFileURL(compiler));
const program = ts.createProgram(files, {
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  skipLibCheck: true,
});
const checker = program.getTypeChecker();
const printer = ts.createPrinter({ removeComments: true });

const commentOf = (symbol) => ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim();
const module = (file) => path.basename(file, ".d.ts");
const has = (node, flags) => (ts.getCombinedModifierFlags(node) & flags) !== 0;
const isHidden = (node) =>
  has(node, ts.ModifierFlags.Private | ts.ModifierFlags.Protected) ||
  (node.name !== undefined && ts.isPrivateIdentifier(node.name));
const isType = (node) => ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node);

/** Return a declaration as source text, without comments. */
function printed(node) {
  const text = printer.printNode(ts.EmitHint.Unspecified, node, node.getSourceFile()).trim();
  return text.replace(/^export /, "").replace(/^declare /, "");
}

/** Return the comment at the start of a file, which describes the module. */
function about(source) {
  const comment = ts.getLeadingCommentRanges(source.text, 0)?.[0];
  if (!comment || !source.text.startsWith("/**", comment.pos)) return "";
  const text = source.text.slice(comment.pos + 3, comment.end - 2);
  return text.replace(/^\s*\* ?/gm, "").replace(/^@.*$/gm, "").trim();
}

/** Return the first line of a class or an interface, before its members. */
function header(node) {
  const kind = ts.isClassDeclaration(node) ? "class" : "interface";
  const parameters = node.typeParameters ? `<${node.typeParameters.map(printed).join(", ")}>` : "";
  const abstract = has(node, ts.ModifierFlags.Abstract) ? ["abstract"] : [];
  return [...abstract, kind, `${node.name.text}${parameters}`, ...(node.heritageClauses ?? []).map(printed)].join(" ");
}

/** Describe a member. Only fields have a type; the text of other members contains their types. */
function member(node) {
  const isField = ts.isPropertySignature(node) || ts.isPropertyDeclaration(node) || ts.isGetAccessor(node);
  return {
    name: ts.isConstructorDeclaration(node) ? "constructor" : (node.name?.getText() ?? printed(node)),
    optional: node.questionToken !== undefined,
    type: isField && node.type ? printed(node.type) : "",
    text: printed(node),
    comment: commentOf(node.symbol),
  };
}

function exported(symbol) {
  const meant = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const nodes = meant.declarations;
  const source = nodes[0].getSourceFile();
  const types = nodes.filter(isType);
  const others = nodes
    .filter((node) => !isType(node))
    .map((node) => (ts.isVariableDeclaration(node) ? `const ${printed(node)};` : printed(node)));
  return {
    name: symbol.name,
    file: source.fileName,
    at: nodes[0].pos,
    module: module(source.fileName),
    about: about(source),
    comment: commentOf(meant),
    text: [...types.map(header), ...others].join("\n"),
    members: types.flatMap((node) => node.members.filter((each) => !isHidden(each)).map(member)),
  };
}

const exports = files.map((file) => {
  const source = program.getSourceFile(file);
  const order = source.statements.map((it) => it.moduleSpecifier && module(it.moduleSpecifier.text.replace(/\.js$/, "")));
  const found = checker.getExportsOfModule(checker.getSymbolAtLocation(source)).map(exported);
  found.sort((a, b) => order.indexOf(a.module) - order.indexOf(b.module) || a.at - b.at);
  return found;
});
process.stdout.write(JSON.stringify(exports));

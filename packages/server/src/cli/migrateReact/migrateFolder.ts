import { readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import MagicString from 'magic-string'
import { examinePackage } from './examinePackage.ts'
import type { Edit, Examined, Flag } from './Finding.ts'
import { layer, moveNames } from './moveNames.ts'
import { exportedNames, kitModule, newModule, oldModule, pluginHook, sdkModule } from './names.ts'
import { isType, type Node, parseSource, readName } from './parseSource.ts'

const sdk =
  'The old SDK does not share the session of the hooks. In a component, use the hook: const { Moralis } = useMoralis(). In Node.js you can keep the import: it works with a Countersign server at your serverURL.'

/** Parts of the older SDK that have nothing behind them any more, or something else. */
const members = new Map([
  [
    'start',
    'Moralis.start is not needed, because the provider connects. Pass appId and serverUrl to <MoralisProvider>.',
  ],
  ['initPlugins', 'There are no plugins to start. Remove the call.'],
  ['Plugins', 'The services behind plugins no longer exist. Write a cloud function on your server and call it.'],
  ['Dot', 'Polkadot is not supported. Remove it, or implement it in your own code.'],
  ['Erd', 'Elrond is not supported. Remove it, or implement it in your own code.'],
  ['Elrond', 'Elrond is not supported. Remove it, or implement it in your own code.'],
])

const attributes = new Map([
  ['getMoralis', 'getMoralis passed the old SDK to the provider, which now has its own. Remove the property.'],
  ['plugins', 'The services behind plugins no longer exist. Remove the property.'],
  ['dangerouslyUseOfMasterKey', 'A master key must not be in a page. Remove it, and rotate that key.'],
])

const deadServer = /https?:\/\/[\w.-]*\.(grandmoralis|moralishost|usemoralis|moralisweb3|moralis)\.(com|io)\b/i

/** Functions by which test runners take a module name. */
const mocking = /^(mock|unmock|doMock|dontMock|setMock|requireActual|requireMock|importActual|importMock)$/

const skipped = new Set(['node_modules', 'bower_components', 'dist', 'build', 'out', 'coverage', 'vendor'])

const sources = /\.([cm]?[jt]s|[jt]sx)$/

export type MigratedFile = Examined & { readonly path: string }
export type Migration = { readonly read: number; readonly files: readonly MigratedFile[] }

/** Migrates every source and package.json of a folder, or only reports the changes. */
export async function migrateFolder(folder: string, { dryRun }: { dryRun: boolean }): Promise<Migration> {
  const paths = await listFiles(folder)
  const packages = paths.filter((path) => basename(path) === 'package.json')
  const keepers = new Set<string>()
  const files: MigratedFile[] = []

  const take = async (path: string, source: string, examined: Examined) => {
    if (examined.edits.length === 0 && examined.flags.length === 0) return
    files.push({ ...examined, path: relative(folder, path).split(sep).join('/') })
    if (dryRun || examined.edits.length === 0) return
    const text = new MagicString(source)
    for (const { start, end, text: next } of examined.edits) text.update(start, end, next)
    await writeFile(path, text.toString())
  }
  for (const path of paths) {
    if (basename(path) === 'package.json') continue
    const source = await readFile(path, 'utf8')
    const examined = examineSource(path, source)
    if (mentionsSdk(source)) keepers.add(findPackage(packages, path))
    await take(path, source, examined)
  }
  for (const path of packages) {
    const source = await readFile(path, 'utf8')
    await take(path, source, examinePackage(source, keepers.has(path)))
  }
  return { read: paths.length, files }
}

/** Also finds it as plain text, such as in a configuration: removing it by mistake is expensive. */
function mentionsSdk(source: string): boolean {
  return [...source.matchAll(/['"`]([\w/.-]+)['"`]/g)].some(([, name = '']) => sdkModule.test(name))
}

/** The package.json nearest above a file. */
function findPackage(packages: readonly string[], path: string): string {
  const above = packages.filter((one) => path.startsWith(dirname(one) + sep))
  return above.sort((one, other) => other.length - one.length)[0] ?? ''
}

/** The sources of an application and its package.json files; nothing that is built, installed or hidden. */
async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const found = await Promise.all(
    entries.map((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return skipped.has(entry.name) || entry.name.startsWith('.') ? [] : listFiles(path)
      return entry.isFile() && (sources.test(entry.name) || entry.name === 'package.json') ? [path] : []
    }),
  )
  return found.flat().sort()
}

/** Finds the edits of a source file, and the places that need manual work. Keeps the file's layout. */
export function examineSource(path: string, source: string): Examined {
  if (!/moralis|web3uikit/i.test(source) && !source.includes(layer)) return { edits: [], flags: [] }
  const { tree, flag } = tryToParse(path, source)
  if (!tree) return { edits: [], flags: [flag] }
  const edits: Edit[] = []
  const flags: Flag[] = []
  const named = new Set<number>()
  walkNodes(tree, (node) => {
    const { line } = node.loc.start
    const literal = findModuleName(node)
    if (literal) {
      const name = readText(source, literal)
      named.add(literal.start)
      if (name === oldModule) {
        edits.push({ start: literal.start + 1, end: literal.end - 1, text: newModule, line: literal.loc.start.line })
      }
      flags.push(...adviseOnImport(node, name).map((found) => ({ line, ...found })))
      const moved = moveNames(node, source, name)
      edits.push(...moved.edits)
      flags.push(...moved.flags)
      return
    }
    const advice = named.has(node.start) ? undefined : adviseOnNode(node)
    if (advice) flags.push({ line, advice })
  })
  return { edits, flags }
}

type Parsed = { readonly tree: Node; readonly flag?: never } | { readonly tree?: never; readonly flag: Flag }

function tryToParse(path: string, source: string): Parsed {
  try {
    return { tree: parseSource(path, source) }
  } catch (error) {
    const { message, loc } = error as Error & { loc?: { line: number } }
    const advice = `This file cannot be read (${message.replace(/ \(\d+:\d+\)$/, '')}). Change its imports yourself.`
    return { flag: { line: loc?.line ?? 1, advice } }
  }
}

/** The text of a literal between its quotes, whichever they are. */
function readText(source: string, { start, end }: Node): string {
  return source.slice(start + 1, end - 1)
}

/** Every node of a tree, in the order of the text. */
function walkNodes(root: Node, visit: (node: Node) => void): void {
  const waiting: Node[] = [root]
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    visit(node)
    const children = Object.values(node).flat().filter(isNode)
    waiting.push(...children.sort((one, other) => other.start - one.start))
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value && 'loc' in value
}

/** The text that names a module, of a node that imports one, in any of the ways there are. */
function findModuleName(node: Node): Node | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
    case 'ImportExpression':
      return text(node.source)
    case 'TSImportType':
      return text(node.argument) ?? text(field(node.argument, 'literal'))
    case 'TSExternalModuleReference':
      return text(node.expression)
    case 'TSModuleDeclaration':
      return text(node.id)
    case 'CallExpression':
    case 'OptionalCallExpression':
      return isLoading(node.callee) ? text((node.arguments as unknown[])[0]) : undefined
    default:
      return undefined
  }
}

function isLoading(callee: unknown): boolean {
  const { type, name, object, property } = Object(callee) as Record<string, unknown>
  if (type === 'Import') return true
  if (type === 'Identifier') return name === 'require'
  if (type !== 'MemberExpression') return false
  const owner = field(object, 'name')
  const method = String(field(property, 'name'))
  return owner === 'require' ? method === 'resolve' : (owner === 'jest' || owner === 'vi') && mocking.test(method)
}

function field(value: unknown, name: string): unknown {
  return (Object(value) as Record<string, unknown>)[name]
}

/** A text without anything filled in. */
function text(value: unknown): Node | undefined {
  const node = Object(value) as Node
  if (node.type === 'StringLiteral') return node
  return node.type === 'TemplateLiteral' && (node.expressions as unknown[]).length === 0 ? node : undefined
}

/** Advice for code other than an import. */
function adviseOnNode(node: Node): string | undefined {
  switch (node.type) {
    case 'MemberExpression':
    case 'OptionalMemberExpression': {
      const object = Object(node.object) as { type?: string; name?: string }
      const property = Object(node.property) as { name?: string }
      return object.name === 'Moralis' ? members.get(property.name ?? '') : undefined
    }
    case 'JSXOpeningElement': {
      if ((Object(node.name) as { name?: string }).name !== 'MoralisProvider') return undefined
      const names = (node.attributes as { name?: { name?: string } }[]).map(({ name }) => name?.name ?? '')
      return names.flatMap((name) => attributes.get(name) ?? []).join(' ') || undefined
    }
    case 'StringLiteral':
    case 'JSXText':
    case 'TemplateElement': {
      const value = typeof node.value === 'string' ? node.value : String((Object(node.value) as { raw?: string }).raw)
      if (deadServer.test(value))
        return 'That server no longer exists. Use the URL of your own server, such as https://example.org/server.'
      return node.type === 'StringLiteral' && value === oldModule
        ? `This text contains ${oldModule}. If it refers to the module, change it.`
        : undefined
    }
    default:
      return undefined
  }
}

type Advice = Pick<Flag, 'advice'> & Partial<Flag>

/** Advice for each name of an import besides the new module name. */
function adviseOnImport(node: Node, name: string): Advice[] {
  if (sdkModule.test(name)) return [{ advice: sdk }]
  if (name.startsWith(`${oldModule}/`)) {
    return [{ advice: `${name} is an internal file of the old package. Import the names you need from ${newModule}.` }]
  }
  if (node.type !== 'ImportDeclaration' && node.type !== 'ExportNamedDeclaration') {
    return kitModule.test(name) ? [{ advice: adviseOnKit('Its ConnectButton') }] : []
  }
  const isOurs = name === oldModule || name === newModule
  if (!isOurs && !kitModule.test(name)) return []
  return (node.specifiers as Node[]).flatMap((specifier) => {
    const imported = readName(specifier)
    const advice = isOurs
      ? adviseOnName(specifier, imported, isType(node) || isType(specifier))
      : kitAdvice(name, imported)
    return advice ? [{ advice, line: specifier.loc.start.line }] : []
  })
}

function adviseOnName(specifier: Node, name: string, type: boolean): string | undefined {
  if (specifier.type === 'ImportDefaultSpecifier') {
    return `${newModule} has no default export, nor had react-moralis. Use named imports.`
  }
  if (pluginHook.test(name)) {
    return `${name} used a service that no longer exists. It fails unless your server has a function of that name.`
  }
  if (name === 'useMoralisSolanaApiCall') return 'The correct name is useMoralisSolanaCall; the old README was wrong.'
  if (type || specifier.type.includes('Namespace') || exportedNames.has(name)) return undefined
  return `${name} is exported neither by react-moralis nor by ${newModule}.`
}

function kitAdvice(module: string, name: string): string | undefined {
  if (name === 'ConnectButton') return adviseOnKit('ConnectButton')
  return module.endsWith('/web3') ? adviseOnKit(name) : undefined
}

function adviseOnKit(name: string): string {
  return `${name} bundles react-moralis and does not use this provider. Use SignInButton of @countersign/react/sheet (npm install @countersign/react), or a button that calls authenticate() of useMoralis().`
}

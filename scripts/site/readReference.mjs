import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { root } from '../steps/root.mjs'

/**
 * @typedef {object} Page
 * @property {string} path without an ending; that of the first page is empty
 * @property {string} title
 * @property {string} text Markdown
 * @property {string} [from] the file that it was written in; a page of the reference has none
 */

/** The entries of the packages. What an entry shares with one above it is described there, and named here. */
const entries = [
  [
    'react',
    'core',
    '@countersign/react/core',
    'The client and every action, without React. Each action takes the client first and works in a browser, in Node.js and in every framework: [other frameworks](../sdk-integrations.md).',
  ],
  [
    'react',
    'index',
    '@countersign/react',
    'Hooks, components and what they take, for React 18 and 19. How they work together: [the session layer](../session-layer.md).',
  ],
  [
    'react',
    'sheet',
    '@countersign/react/sheet',
    'The sign-in sheet and its button: [the sign-in sheet](../sign-in-sheet.md).',
  ],
  [
    'react',
    'errors',
    '@countersign/react/errors',
    'The classes of errors, to be compared with. What each reason means: [errors](../errors.md).',
  ],
  [
    'react',
    'server',
    '@countersign/react/server',
    'For code that renders pages on a server: [server rendering](../server-rendering.md).',
  ],
  ['react', 'push', '@countersign/react/push', 'Push notifications in the browser.'],
  [
    'react',
    'transactions',
    '@countersign/react/transactions',
    'Transactions that the server follows: [how they are used](../chain-data.md#transactions-that-users-send).',
  ],
  ['react', 'suspense', '@countersign/react/suspense', 'Hooks that suspend instead of answering `pending`.'],
  [
    'react',
    'query',
    '@countersign/react/query',
    'Options for TanStack Query: [how they are used](../sdk-integrations.md).',
  ],
  ['react', 'native', '@countersign/react/native', 'For React Native: no DOM, and storage that the application names.'],
  [
    'react',
    'testing',
    '@countersign/react/testing',
    'A client and a wallet for tests: [tests](../sdk-integrations.md).',
  ],
  [
    'react',
    'i18n',
    '@countersign/react/i18n',
    'The sentences of refusals in other languages: [languages](../i18n.md).',
  ],
  [
    'react',
    'devtools',
    '@countersign/react/devtools',
    'A panel that shows what the client does: [devtools](../devtools.md).',
  ],
  [
    'react',
    'wagmi',
    '@countersign/react/wagmi',
    'Wallets that wagmi connects: [wallets from elsewhere](../wallet-sources.md).',
  ],
  [
    'react',
    'rainbowkit',
    '@countersign/react/rainbowkit',
    'Sign-in inside RainbowKit: [wallets from elsewhere](../wallet-sources.md).',
  ],
  [
    'react',
    'walletconnect',
    '@countersign/react/walletconnect',
    'Wallets by WalletConnect: [wallets from elsewhere](../wallet-sources.md).',
  ],
  ['react', 'magic', '@countersign/react/magic', 'Wallets by Magic: [wallets from elsewhere](../wallet-sources.md).'],
  [
    'react',
    'web3auth',
    '@countersign/react/web3auth',
    'Wallets by Web3Auth: [wallets from elsewhere](../wallet-sources.md).',
  ],
  [
    'moralis',
    'index',
    '@countersign/moralis',
    'The names of react-moralis: [applications written for react-moralis](../moralis.md).',
  ],
  ['moralis', 'ethers', '@countersign/moralis/ethers', 'The types of ethers 5 that the older package named.'],
  [
    'server',
    'index',
    'countersign',
    'What cloud code and configuration import: [functions](../functions.md), [configuration](../configuration.md).',
  ],
]

/**
 * The reference, made from the built packages: their declarations, the contract of the endpoints, and what the command
 * says about itself.
 *
 * @returns {Promise<Page[]>}
 */
export async function readReference() {
  /** @type {Map<string, { path: string, declaration: string }>} */
  const described = new Map()
  const exported = entries.map(([folder = '', entry = '', name = '', text = '']) =>
    describeEntry(join(root, 'packages', folder, 'dist', `${entry}.d.ts`), name, text, described),
  )
  // The hooks are what most look for first.
  const [core, react, ...others] = exported
  return [
    ...(react ? [react] : []),
    ...(core ? [core] : []),
    ...others,
    await describeEndpoints(),
    await describeCommands(),
  ]
}

/**
 * The examples of what is exported, each once: those of an entry that come from another one are the same.
 *
 * @returns {{ name: string, from: string, code: string }[]}
 */
export function listExamples() {
  const found = new Map()
  for (const [folder = '', entry = '', from = ''] of entries)
    for (const { name, comment } of listExports(join(root, 'packages', folder, 'dist', `${entry}.d.ts`)))
      for (const code of readExamples(comment))
        if (!found.has(`${name} ${code}`)) found.set(`${name} ${code}`, { name, from, code })
  return [...found.values()]
}

/** @param {string} comment */
function readExamples(comment) {
  return comment
    .split(/^@example\n?/m)
    .slice(1)
    .map(
      (example) =>
        example
          .split(/^@\w+/m)[0]
          ?.replace(/^```.*$/gm, '')
          .trim() ?? '',
    )
}

const groups = [
  { title: 'Hooks', belongs: (/** @type {Export} */ { name }) => /^use[A-Z]/.test(name) },
  { title: 'Types', belongs: (/** @type {Export} */ { isType }) => isType },
  {
    title: 'Errors',
    belongs: (/** @type {Export} */ { declaration }) => / class /.test(declaration.split('{')[0] ?? ''),
  },
  { title: 'Components', belongs: (/** @type {Export} */ { name }) => /^[A-Z][a-z]/.test(name) },
  { title: 'Functions and values', belongs: () => true },
]

/**
 * @param {string} file
 * @param {string} name
 * @param {string} text
 * @param {Map<string, { path: string, declaration: string }>} described by earlier entries
 * @returns {Page}
 */
function describeEntry(file, name, text, described) {
  const path = `reference/${name.replace('@countersign/', '').replace('/', '-')}`
  const found = listExports(file)
  const isShared = (/** @type {Export} */ { name: each, declaration }) =>
    described.get(each)?.declaration === declaration && !declaration.startsWith('export {')
  const left = new Set(found.filter((each) => !isShared(each)))
  const parts = groups.map(({ title, belongs }) => {
    const members = [...left].filter(belongs)
    for (const member of members) left.delete(member)
    return { title, members }
  })
  const order = ['Hooks', 'Components', 'Functions and values', 'Errors', 'Types']
  const own = order.map((title) => {
    const members = parts.find((part) => part.title === title)?.members ?? []
    return members.length > 0 ? `## ${title}\n\n${members.map(describeExport).join('\n\n')}` : ''
  })
  const shared = found.filter(isShared)
  const others = shared.map(({ name: each }) => {
    const place = described.get(each)?.path.replace('reference/', '') ?? ''
    return `[\`${each}\`](${place}.md#${each.toLowerCase()})`
  })
  const also = others.length > 0 ? `## Also exported here\n\n${others.join(', ')}` : ''
  for (const { name: each, declaration } of found) if (!described.has(each)) described.set(each, { path, declaration })
  const use = `\`\`\`ts\nimport { … } from '${name}'\n\`\`\``
  return { path, title: name, text: [`# ${name}`, text, use, ...own, also].filter(Boolean).join('\n\n') }
}

/** @param {Export} each */
function describeExport({ name, comment, declaration }) {
  const text = comment.split(/^@example\n?/m)[0] ?? ''
  const samples = readExamples(comment).map((example) => `\`\`\`tsx\n${example}\n\`\`\``)
  const shown = declaration.replace(/^export (declare )?/, '')
  const plain = text.replace(/\{@link (\w+)\}/g, '`$1`').trim()
  return [`### ${name}`, plain, ...samples, `\`\`\`declaration\n${shown}\n\`\`\``].filter(Boolean).join('\n\n')
}

/** What is passed on from a package of others. @type {Record<string, { comment: string, declaration: string }>} */
const foreign = {
  z: {
    comment: [
      'Zod 4, which describes input and output of functions. It is passed on so that both sides have one version.',
      '@example',
      'const input = z.object({ text: z.string().max(280), stars: z.number().int().min(1).max(5) })',
    ].join('\n'),
    declaration: "export { z } from 'zod'",
  },
}

/** @typedef {{ name: string, isType: boolean, comment: string, declaration: string }} Export */

/**
 * @param {string} file a declaration file whose exports are listed
 * @returns {Export[]}
 */
function listExports(file) {
  const source = readFileSync(file, 'utf8')
  /** @type {Map<string, Export>} */
  const found = new Map()
  for (const [, type, list = '', from = ''] of source.matchAll(/^export (type )?\{([^}]*)\}(?: from '([^']+)')?;/gm)) {
    for (const item of list.split(',').map((each) => each.trim())) {
      if (item === '') continue
      const [, only, inner = '', outer = inner] = item.match(/^(type )?(\w+)(?: as (\w+))?$/) ?? []
      const target = findFile(file, from)
      const described = foreign[outer] ?? (target ? findDeclaration(target, inner) : undefined)
      const declaration = described?.declaration ?? `export { ${inner} } from '${from}'`
      const isType = Boolean(type ?? only) || /^export (declare )?(type|interface)/.test(declaration)
      found.set(outer, { name: outer, isType, comment: described?.comment ?? '', declaration })
    }
  }
  for (const [, from = ''] of source.matchAll(/^export \* from '([^']+)';/gm)) {
    const target = findFile(file, from)
    for (const each of target ? listExports(target) : []) found.set(each.name, each)
  }
  for (const [, , name = ''] of source.matchAll(
    /^export (declare )?(?:abstract )?(?:function|const|class|type|interface) (\w+)/gm,
  )) {
    const described = findDeclaration(file, name)
    if (described && !found.has(name)) {
      found.set(name, { name, isType: /^export (declare )?(type|interface)/.test(described.declaration), ...described })
    }
  }
  return [...found.values()].sort((a, b) => a.name.localeCompare(b.name))
}

/**
 * @param {string} file
 * @param {string} from
 */
function findFile(file, from) {
  const [, folder = '', entry = 'index'] = from.match(/^@countersign\/(\w+)(?:\/(.+))?$/) ?? []
  if (folder === '' && !from.startsWith('.')) return undefined
  const place = folder ? join(root, 'packages', folder, 'dist', entry) : join(dirname(file), from)
  const stem = place.replace(/\.[jt]sx?$/, '')
  return [`${stem}.d.ts`, `${stem}/index.d.ts`].find((path) => existsSync(path))
}

/**
 * @param {string} file
 * @param {string} name
 * @returns {{ comment: string, declaration: string } | undefined}
 */
function findDeclaration(file, name) {
  const source = readFileSync(file, 'utf8')
  const start = source.search(
    new RegExp(`^export (declare )?(abstract )?(function|const|class|type|interface) ${name}\\b`, 'm'),
  )
  if (start < 0) {
    const members = source.match(new RegExp(`^import \\* as ${name} from '(\\.[^']+)';`, 'm'))?.[1]
    const inside = members ? findFile(file, members) : undefined
    if (inside) return describeNamespace(name, listExports(inside))
    const again = source.match(new RegExp(`^export (?:type )?\\{[^}]*\\b${name}\\b[^}]*\\} from '([^']+)';`, 'm'))
    const next = again?.[1] ? findFile(file, again[1]) : undefined
    if (next) return findDeclaration(next, name)
    for (const [, from = ''] of source.matchAll(/^export \* from '([^']+)';/gm)) {
      const target = findFile(file, from)
      const found = target ? findDeclaration(target, name) : undefined
      if (found) return found
    }
    return undefined
  }
  const before = source.slice(0, start).match(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*$/)?.[1] ?? ''
  const comment = before.replace(/^[ \t]*\* ?/gm, '').trim()
  return { comment, declaration: readStatement(source.slice(start)) }
}

/**
 * @param {string} name
 * @param {Export[]} members
 */
function describeNamespace(name, members) {
  const lines = members.map((member) => {
    const text = (member.comment.split(/^@/m)[0] ?? '').replace(/\s+/g, ' ').trim()
    return `- \`${name}.${member.name}\`: ${text}`
  })
  const examples = members.flatMap(({ comment }) => readExamples(comment)).map((code) => `@example\n${code}`)
  const declarations = members.map(({ declaration }) =>
    declaration.replace(/^export (declare )?/, '').replace(/^/gm, '  '),
  )
  return {
    comment: [lines.join('\n'), ...examples].join('\n\n'),
    declaration: `export declare namespace ${name} {\n${declarations.join('\n')}\n}`,
  }
}

/** Up to the end of the statement: the first semicolon or closing brace outside of every bracket. @param {string} text */
function readStatement(text) {
  let depth = 0
  for (let place = 0; place < text.length; place++) {
    const letter = text[place] ?? ''
    if ('{(['.includes(letter)) depth++
    if ('})]'.includes(letter)) depth--
    const ends =
      depth === 0 && (letter === ';' || (letter === '}' && /^export (declare )?(class|interface)/.test(text)))
    if (ends) return text.slice(0, place + 1).slice(0, 4000)
  }
  return text.slice(0, 4000)
}

const load = (/** @type {string} */ path) => import(pathToFileURL(join(root, 'packages', path)).href)

/** Every endpoint by its name, those of one resource together. */
async function describeEndpoints() {
  const { contract } = await load('protocol/dist/contract/index.js')
  const { endpoints } = await load('protocol/dist/endpoints.js')
  /** @type {Map<string, string[]>} */
  const resources = new Map()
  for (const name of new Set([...Object.keys(contract), ...Object.keys(endpoints)])) {
    const resource = (contract[name] ?? endpoints[name]).path.split('/')[1] || ''
    resources.set(resource, [...(resources.get(resource) ?? []), name])
  }
  const parts = [...resources]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([resource, names]) => {
      const described = names.map((name) => describeEndpoint(name, contract[name] ?? endpoints[name]))
      return `## Under /${resource}\n\n${described.join('\n\n')}`
    })
  const text = `# Endpoints\n\nEvery endpoint by its name, under the path of the API (\`/server\` unless you changed [\`mount\`](../configuration.md#mount)). How requests look: [use it over HTTP](../http-api.md). A running server describes itself as OpenAPI, with the shape of what each endpoint answers, at \`/server/openapi.json\`. What a refusal means: [errors](../errors.md).\n\n${parts.join('\n\n')}`
  return { path: 'reference/endpoints', title: 'Endpoints', text }
}

const callers = /** @type {Record<string, string>} */ ({
  required: 'Needs a session.',
  optional: 'With a session, or without.',
  tolerated: 'Needs no session; one that is sent is tolerated.',
})

/**
 * @param {string} name
 * @param {{ method: string, path: string, summary?: string, access?: string, session?: string, reasons?: string[],
 *   input?: Schema, params?: Schema }} endpoint
 */
function describeEndpoint(name, { method, path, summary, access, session, reasons = [], input, params }) {
  const refusals = reasons.map((reason) => `[\`${reason}\`](../errors.md#${reason})`)
  const caller = access === 'master' ? 'Needs the master key.' : (callers[session ?? ''] ?? '')
  const fields = [params, input].flatMap((schema) => (schema ? listFields(schema) : []))
  return [
    `### ${name}`,
    summary ?? '',
    `\`\`\`http\n${method} /server${path}\n\`\`\``,
    caller,
    fields.length > 0 ? `| field | | |\n| --- | --- | --- |\n${fields.join('\n')}` : '',
    refusals.length > 0 ? `Refuses with ${refusals.join(', ')}.` : '',
  ]
    .filter(Boolean)
    .join('\n\n')
}

/** @typedef {{ toJSONSchema: (options: object) => object }} Schema of Zod */
/** @typedef {{ type?: string | string[], description?: string, enum?: unknown[], const?: unknown, maxLength?: number, items?: Json, anyOf?: Json[], oneOf?: Json[], properties?: Record<string, Json>, required?: string[] }} Json */

/** @param {Schema} schema */
function listFields(schema) {
  const { properties = {}, required = [] } = /** @type {Json} */ (
    schema.toJSONSchema({ io: 'input', unrepresentable: 'any' })
  )
  return Object.entries(properties).map(([field, json]) => {
    const most = json.maxLength ? `, at most ${json.maxLength.toLocaleString('en')} characters` : ''
    const need = required.includes(field) ? 'required' : ''
    return `| **${field}** | ${describeType(json).replaceAll('|', '\\|')}${most} | ${[need, json.description ?? ''].filter(Boolean).join('; ').replaceAll('|', '\\|')} |`
  })
}

/** @param {Json} json @returns {string} */
function describeType(json) {
  const several = json.anyOf ?? json.oneOf
  if (several) return [...new Set(several.map(describeType))].join(' or ')
  if (json.const !== undefined) return `\`${JSON.stringify(json.const)}\``
  if (json.enum) return json.enum.map((value) => `\`${value}\``).join(', ')
  if (json.type === 'array') return `list of ${json.items ? describeType(json.items) : 'anything'}`
  return Array.isArray(json.type) ? json.type.join(' or ') : (json.type ?? 'anything')
}

async function describeCommands() {
  const command = join(root, 'packages/server/bin/countersign.js')
  const ask = async (/** @type {string[]} */ ...words) =>
    (await promisify(execFile)(process.execPath, [command, 'help', ...words])).stdout.trim()
  const general = await ask()
  const names = [...new Set([...general.matchAll(/^ {2}countersign ([\w-]+)/gm)].map(([, name = '']) => name))]
  const said = await Promise.all(names.map(async (name) => ({ name, help: await ask(name) })))
  const parts = said.map(({ name, help }) => {
    const text = help === general ? `Takes the options above.` : `\`\`\`text\n${help}\n\`\`\``
    return `## countersign ${name}\n\n${text}`
  })
  const text = `# Commands\n\nThe command comes with the package \`countersign\`: \`npx countersign help\` says the same as this page.\n\n\`\`\`text\n${general}\n\`\`\`\n\n${parts.join('\n\n')}`
  return { path: 'reference/commands', title: 'Commands', text }
}

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../steps/root.mjs'
import { describeEndpoints } from './describeEndpoints.mjs'
import { listExports, readExamples } from './readDeclarations.mjs'

/** @typedef {import('./readDeclarations.mjs').Export} Export */

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
    'The client and every action, without React, for browsers, Node.js and [other frameworks](../sdk-integrations.md).',
  ],
  [
    'react',
    'index',
    '@countersign/react',
    'Provider, session, sign-in, documents, live queries, functions and files, for React 18 and 19. Guide: [React SDK](../session-layer.md).',
  ],
  [
    'react',
    'account',
    '@countersign/react/account',
    'Linked wallets, passkeys, password, second factor, sessions, merge and activity of the account. Guide: [account actions](../account-actions.md).',
  ],
  [
    'react',
    'chain',
    '@countersign/react/chain',
    'Contracts, transactions, wallet calls and chain data. Guides: [contract calls](../chain-calls.md), [chain data hooks](../chain-data-hooks.md).',
  ],
  [
    'react',
    'sheet',
    '@countersign/react/sheet',
    'The sign-in sheet and its button. Guide: [sign-in sheet](../sign-in-sheet.md).',
  ],
  ['react', 'errors', '@countersign/react/errors', 'Error classes, for `instanceof`. Guide: [errors](../errors.md).'],
  [
    'react',
    'server',
    '@countersign/react/server',
    'Sessions and clients for servers that render pages. Guide: [server rendering](../server-rendering.md).',
  ],
  [
    'react',
    'offline',
    '@countersign/react/offline',
    'Documents and queued writes on the device. Guide: [offline](../offline.md).',
  ],
  [
    'react',
    'push',
    '@countersign/react/push',
    'Push notifications in the browser. Guide: [push](../push.md#web-push).',
  ],
  [
    'react',
    'transactions',
    '@countersign/react/transactions',
    'Transactions that the server follows. Guide: [sent transactions](../sent-transactions.md).',
  ],
  [
    'react',
    'suspense',
    '@countersign/react/suspense',
    'Hooks that suspend instead of returning `pending`. Guide: [Suspense](../sdk-integrations.md#suspense).',
  ],
  [
    'react',
    'query',
    '@countersign/react/query',
    'Options for TanStack Query. Guide: [TanStack Query](../sdk-integrations.md#tanstack-query).',
  ],
  [
    'react',
    'tanstackDb',
    '@countersign/react/tanstackDb',
    'Collections of TanStack DB over documents. Guide: [TanStack DB](../sdk-integrations.md#tanstack-db).',
  ],
  [
    'react',
    'native',
    '@countersign/react/native',
    'Client for React Native. Guide: [React Native](../sdk-integrations.md#react-native).',
  ],
  [
    'react',
    'testing',
    '@countersign/react/testing',
    'A client and a wallet for tests. Guides: [unit tests](../sdk-integrations.md#unit-tests), [test wallet](../wallet-layer.md#testing-your-application).',
  ],
  [
    'react',
    'i18n',
    '@countersign/react/i18n',
    'Error messages in other languages, and a formatter. Guide: [languages](../i18n.md).',
  ],
  [
    'react',
    'devtools',
    '@countersign/react/devtools',
    'A panel that shows the state of the client. Guide: [devtools](../devtools.md).',
  ],
  [
    'react',
    'wagmi',
    '@countersign/react/wagmi',
    'Wallets connected by wagmi. Guide: [wagmi](../wallet-sources.md#wagmi).',
  ],
  [
    'react',
    'rainbowkit',
    '@countersign/react/rainbowkit',
    'Sign-in inside RainbowKit. Guide: [from RainbowKit](../tutorial-rainbowkit.md).',
  ],
  [
    'react',
    'walletconnect',
    '@countersign/react/walletconnect',
    'Wallets by WalletConnect. Guide: [WalletConnect](../wallet-sources.md#walletconnect).',
  ],
  ['react', 'magic', '@countersign/react/magic', 'Wallets by Magic. Guide: [Magic](../wallet-sources.md#magic).'],
  [
    'react',
    'web3auth',
    '@countersign/react/web3auth',
    'Wallets by Web3Auth. Guide: [Web3Auth](../wallet-sources.md#web3auth).',
  ],
  [
    'moralis',
    'index',
    '@countersign/moralis',
    'The names of react-moralis. Guide: [react-moralis applications](../moralis.md).',
  ],
  ['moralis', 'ethers', '@countersign/moralis/ethers', 'Helpers and types of ethers 5.'],
  [
    'server',
    'index',
    'countersign',
    'Imports of cloud code and config files. Guides: [functions](../functions.md), [configuration](../configuration.md).',
  ],
]

/**
 * The reference, made from the built packages: their declarations, the contract of the endpoints, and the help of the
 * command.
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
  const text = `# Commands\n\nLook up each command of the package \`countersign\`. \`npx countersign help\` prints the same.\n\n\`\`\`text\n${general}\n\`\`\`\n\n${parts.join('\n\n')}`
  return { path: 'reference/commands', title: 'Commands', text }
}

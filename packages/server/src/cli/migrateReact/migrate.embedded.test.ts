import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { version } from '../../version.ts'
import { requireCleanTree, writeSummary } from '../runMigrateReact.ts'
import { examinePackage } from './examinePackage.ts'
import { examineSource, migrateFolder } from './migrateFolder.ts'
import { findPlace, listMoved } from './movedNames.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'migrate-react-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}
const read = (path: string) => readFileSync(join(folder, path), 'utf8')
const git = (...words: string[]) => execFileSync('git', words, { cwd: folder, stdio: 'pipe' }).toString()
const ours = '@countersign/moralis'

/** A lottery as the courses had it: Next.js pages, the provider around all, no initialize on mount. */
const nextApp = {
  'package.json': `{
  "name": "lottery",
  "private": true,
  "dependencies": {
    "ethers": "^5.6.9",
    "moralis-v1": "^1.13.0",
    "next": "12.2.0",
    "react": "18.2.0",
    "react-dom": "18.2.0",
    "react-moralis": "^1.4.2",
    "web3uikit": "^0.1.170"
  }
}
`,
  'pages/_app.js': `import "../styles/globals.css"
import { MoralisProvider } from "react-moralis"
import { NotificationProvider } from "web3uikit"

function MyApp({ Component, pageProps }) {
    return (
        <MoralisProvider initializeOnMount={false}>
            <NotificationProvider>
                <Component {...pageProps} />
            </NotificationProvider>
        </MoralisProvider>
    )
}

export default MyApp
`,
  'components/Header.js': `import { ConnectButton } from "web3uikit"

export default function Header() {
    return <ConnectButton moralisAuth={false} />
}
`,
  'components/LotteryEntrance.js': `import { useWeb3Contract } from "react-moralis"
import { abi, contractAddresses } from "../constants"
import { useMoralis } from "react-moralis"
import { useEffect, useState } from "react"

export default function LotteryEntrance() {
    const { chainId: chainIdHex, isWeb3Enabled } = useMoralis()
    const { runContractFunction: enterRaffle } = useWeb3Contract({ abi, functionName: "enterRaffle", params: {} })
    return <button onClick={() => enterRaffle({ onError: (error) => console.log(error) })}>Enter</button>
}
`,
  'node_modules/react-moralis/index.js': `module.exports = require("react-moralis/lib")`,
  '.next/cache.js': `require("react-moralis")`,
}

/** A gallery as Create React App made them: CommonJS tests, mocks, plugins, a server that is gone. */
const craApp = {
  'package.json': `{"name":"gallery","dependencies":{"moralis":"^1.8.0","react":"^17.0.2","react-moralis":"^1.3.5","react-scripts":"5.0.1"}}`,
  'src/index.js': `import ReactDOM from 'react-dom'
import Moralis from 'moralis'
import { MoralisProvider } from 'react-moralis'
import App from './App'

Moralis.start({ serverUrl: 'https://abc123.grandmoralis.com:2053/server', appId: process.env.REACT_APP_ID })

ReactDOM.render(
  <MoralisProvider appId={process.env.REACT_APP_ID} serverUrl={process.env.REACT_APP_URL} getMoralis={() => Moralis}>
    <App />
  </MoralisProvider>,
  document.getElementById('root'),
)
`,
  'src/Swap.jsx': `import {
  useMoralis,
  useOneInchQuote,
  useOneInchSwap, // the best price
} from 'react-moralis'

const Lazy = React.lazy(() => import('react-moralis').then((module) => ({ default: module.ByMoralis })))
export const Swap = () => { const { account } = useMoralis(); useOneInchQuote({}); useOneInchSwap({}); return account }
`,
  'src/App.test.js': `const { useMoralis } = require('react-moralis')
jest.mock('react-moralis', () => ({ ...jest.requireActual('react-moralis'), useMoralis: jest.fn() }))
test('renders', () => { useMoralis.mockReturnValue({ isAuthenticated: true }) })
`,
  'config-overrides.js': `module.exports = { alias: { 'react-moralis': './mock.js' }, note: "react-moralis" }
`,
}

/** TypeScript: types of it, re-exports, a namespace, an ambient module, deep imports. */
const typedApp = {
  'package.json': `{
\t"name": "typed",
\t"dependencies": {
\t\t"react-moralis": "1.4.2"
\t},
\t"peerDependencies": {
\t\t"react-moralis": ">=1"
\t},
\t"devDependencies": {
\t\t"moralis": "1.8.0"
\t}
}`,
  'src/session.ts': `import type { MoralisContextValue } from 'react-moralis'
import * as moralis from "react-moralis"
export { useMoralisQuery as useRows, type UseMoralisQueryOptions } from 'react-moralis'
export * from 'react-moralis'

export type Session = import('react-moralis').MoralisContextValue
export const open = <T,>(value: T): T => value
export const load = async () => (await import(\`react-moralis\`)).useMoralis
`,
  'src/View.tsx': `import { useNFTBalances } from 'react-moralis'
import { useResolveCall } from 'react-moralis/lib/hooks/internal'
import { useMoralisSolanaApiCall } from 'react-moralis'
const generic = <T extends object>(value: T) => <p>{String(value)}</p>
`,
  'types/react-moralis.d.ts': `declare module 'react-moralis' {
  interface Extra { readonly name: string }
}
`,
  'src/broken.ts': `import { useMoralis } from 'react-moralis'
const = 1
`,
}

describe('the Next.js application', () => {
  test('only imports and dependencies change, and the connect button is pointed out', async () => {
    write(nextApp)
    const migration = await migrateFolder(folder, { dryRun: false })
    expect(read('pages/_app.js')).toBe(nextApp['pages/_app.js'].replace('react-moralis', ours))
    expect(read('components/LotteryEntrance.js')).toBe(
      nextApp['components/LotteryEntrance.js'].replaceAll('react-moralis', ours),
    )
    expect(read('components/Header.js')).toBe(nextApp['components/Header.js'])
    expect(read('package.json')).toBe(
      nextApp['package.json']
        .replace('    "moralis-v1": "^1.13.0",\n', '')
        .replace('"react-moralis": "^1.4.2"', `"@countersign/moralis": "^${version}"`),
    )
    expect(JSON.parse(read('package.json')).dependencies).not.toHaveProperty('moralis-v1')
    for (const path of ['node_modules/react-moralis/index.js', '.next/cache.js'] as const) {
      expect(read(path)).toBe(nextApp[path])
    }
    const flags = migration.files.flatMap(({ path, flags }) => flags.map(({ line }) => `${path}:${line}`))
    expect(flags).toEqual(['components/Header.js:1'])
    expect(writeSummary(migration, { dryRun: false })).toMatch(
      /3 files changed\.\n\n1 place needs a manual change:\n\n {2}components\/Header\.js:1\n {2}ConnectButton bundles.*SignInButton.*\n\nInstall/s,
    )
  })

  test('a second run changes nothing', async () => {
    write(nextApp)
    await migrateFolder(folder, { dryRun: false })
    const before = Object.keys(nextApp).map(read)
    const again = await migrateFolder(folder, { dryRun: false })
    expect(again.files.flatMap(({ edits }) => edits)).toEqual([])
    expect(Object.keys(nextApp).map(read)).toEqual(before)
  })

  test('--dry-run prints the same, and writes nothing', async () => {
    write(nextApp)
    const planned = await migrateFolder(folder, { dryRun: true })
    expect(Object.keys(nextApp).map(read)).toEqual(Object.values(nextApp))
    expect(writeSummary(planned, { dryRun: true })).toContain('3 files would change')
    expect(await migrateFolder(folder, { dryRun: false })).toEqual(planned)
  })
})

test('the Create React App one: require, mocks, lazy parts; what is gone is pointed out by line', async () => {
  write(craApp)
  const { files } = await migrateFolder(folder, { dryRun: false })
  const flags = files.flatMap(({ path, flags }) => flags.map(({ line, advice }) => `${path}:${line} ${advice}`))
  expect(flags).toEqual([
    expect.stringMatching(/^config-overrides\.js:1 This text contains react-moralis/),
    expect.stringMatching(/^config-overrides\.js:1 This text/),
    expect.stringMatching(/^src\/Swap\.jsx:3 useOneInchQuote used a service/),
    expect.stringMatching(/^src\/Swap\.jsx:4 useOneInchSwap used a service/),
    expect.stringMatching(/^src\/index\.js:2 The old SDK .*useMoralis\(\)/),
    expect.stringMatching(/^src\/index\.js:6 Moralis\.start is not needed/),
    expect.stringMatching(/^src\/index\.js:6 That server no longer exists/),
    expect.stringMatching(/^src\/index\.js:9 getMoralis passed/),
    expect.stringMatching(/^package\.json:1 moralis is still imported/),
    expect.stringMatching(/^package\.json:1 @countersign\/moralis needs React 18/),
  ])
  for (const path of ['src/index.js', 'src/Swap.jsx', 'src/App.test.js'] as const) {
    expect(read(path)).toBe(craApp[path].replaceAll(`'react-moralis'`, `'${ours}'`))
  }
  expect(read('config-overrides.js')).toBe(craApp['config-overrides.js'])
  expect(JSON.parse(read('package.json')).dependencies).toEqual({
    moralis: '^1.8.0',
    react: '^17.0.2',
    '@countersign/moralis': `^${version}`,
    'react-scripts': '5.0.1',
  })
})

test('the TypeScript one: types, re-exports, namespaces and ambient modules', async () => {
  write(typedApp)
  const { files } = await migrateFolder(folder, { dryRun: false })
  expect(read('src/session.ts')).toBe(typedApp['src/session.ts'].replaceAll('react-moralis', ours))
  expect(read('types/react-moralis.d.ts')).toContain(`declare module '${ours}' {`)
  expect(read('src/View.tsx')).toContain(`import { useNFTBalances } from '${ours}'`)
  expect(read('src/View.tsx')).toContain(`'react-moralis/lib/hooks/internal'`)
  expect(read('src/broken.ts')).toBe(typedApp['src/broken.ts'])
  expect(read('package.json')).toBe(`{
\t"name": "typed",
\t"dependencies": {
\t\t"@countersign/moralis": "^${version}"
\t},
\t"peerDependencies": {
\t\t"@countersign/moralis": "^${version}"
\t},
\t"devDependencies": {}
}`)
  const flags = files.flatMap(({ path, flags }) => flags.map(({ line, advice }) => `${path}:${line} ${advice}`))
  expect(flags).toEqual([
    expect.stringMatching(/^src\/View\.tsx:2 react-moralis\/lib\/hooks\/internal is an internal file/),
    expect.stringMatching(/^src\/View\.tsx:3 The correct name is useMoralisSolanaCall/),
    expect.stringMatching(/^src\/broken\.ts:2 This file cannot be read/),
  ])
})

test.each([
  ['the first of several', `{"dependencies":{"moralis":"1","a":"1","react-moralis":"1"}}`, { a: '1' }],
  ['the last of several', `{"dependencies":{"react-moralis":"1","a":"1","moralis":"1"}}`, { a: '1' }],
  ['several in a row', `{"dependencies":{"moralis":"1", "moralis-v1":"1", "a":"1","react-moralis":"1"}}`, { a: '1' }],
  ['all of them', `{"dependencies":{"moralis":"1","react-moralis":"1","moralis-v1":"1"}}`, {}],
])('removing an entry of package.json leaves valid JSON: %s', async (_, text, rest) => {
  write({ 'package.json': text })
  await migrateFolder(folder, { dryRun: false })
  expect(JSON.parse(read('package.json')).dependencies).toEqual({ ...rest, '@countersign/moralis': `^${version}` })
})

test('a package that never had the hooks keeps the SDK; one that is no JSON is pointed out', () => {
  expect(examinePackage('{"dependencies":{"moralis":"1"}}', false)).toEqual({ edits: [], flags: [] })
  expect(examinePackage('{ oops', false).flags).toHaveLength(1)
})

test('a comment, a text or another module of a like name is no import', () => {
  const source = `// import x from 'react-moralis'\nconst a = "see react-moralis"; import b from './react-moralis'\n`
  expect(examineSource('a.ts', source)).toEqual({ edits: [], flags: [] })
})

describe('git', () => {
  test('a tree with changes, or none at all, is refused; a clean one is not', async () => {
    write({ 'a.js': '1\n' })
    git('init', '-q')
    git('add', '.')
    git('-c', 'user.name=t', '-c', 'user.email=t@example.org', 'commit', '-qm', 'first')
    await requireCleanTree(folder)
    write({ 'a.js': '2\n', 'b.js': '3\n' })
    await expect(requireCleanTree(folder)).rejects.toThrow(/2 files in .* changed since the last commit.*--force/)
    await expect(requireCleanTree(tmpdir())).rejects.toThrow(/not in a git repository/)
  })
})

describe('names of @countersign/react', () => {
  const before = `'use client'
import {
  type Activity,
  CountersignProvider,
  RevertError,
  useLinkWallet as useLink,
  useReadContract,
  type UseLinkWallet,
} from "@countersign/react";
import { signOut } from "@countersign/react/core";
export type { SessionState, UseSignUp } from '@countersign/react'

export const useMine = (): UseLinkWallet => useLink()
`
  const after = `'use client'
import { type Activity, useLinkWallet as useLink } from "@countersign/react/account";
import { CountersignProvider } from "@countersign/react";
import { RevertError } from "@countersign/react/errors";
import { useReadContract } from "@countersign/react/chain";
type UseLinkWallet = import("@countersign/react").HookResult<"useLinkWallet">;
import { signOut } from "@countersign/react/core";
export type { SessionState } from '@countersign/react/core'
export type UseSignUp = import('@countersign/react').HookResult<'useSignUp'>

export const useMine = (): UseLinkWallet => useLink()
`

  test('move to the entries that have them, and a second run changes nothing', async () => {
    write({ 'src/App.tsx': before })
    const { files } = await migrateFolder(folder, { dryRun: false })
    expect(files.map(({ path, flags }) => [path, flags])).toEqual([['src/App.tsx', []]])
    expect(read('src/App.tsx')).toBe(after)
    expect(await migrateFolder(folder, { dryRun: false })).toEqual({ read: 1, files: [] })
  })

  test('a long list gets a line for each name', () => {
    const names = ['useLinkWallet', 'useUnlinkWallet', 'useUpdateWallet', 'useRestoreWallet', 'useCreateRecoveryCodes']
    const { edits } = examineSource('a.ts', `import { ${names} } from '@countersign/react'`)
    expect(edits[0]?.text).toBe(
      `import {\n${names.map((name) => `  ${name},\n`).join('')}} from '@countersign/react/account'`,
    )
  })

  test.each([
    ["import * as countersign from '@countersign/react'", '/account, /chain and /errors'],
    ["import { createStore } from '@countersign/react/internal'", '@countersign/react/adapter'],
    ["import type { UseSaveDocument } from '@countersign/react'", "HookResult<'useSaveDocument', 'Game'>"],
    ["import type { Run } from '@countersign/react'", 'HookResult<…>'],
  ])('%s needs a hand', (line, advice) => {
    const { edits, flags } = examineSource('a.ts', line)
    expect(edits).toEqual([])
    expect(flags).toEqual([{ line: 1, advice: expect.stringContaining(advice) }])
  })

  const source = new URL('../../../../react/src/', import.meta.url)
  /** Text of an entry, with the files that it exports whole. */
  const textOf = (entry: string) => {
    const text = readFileSync(new URL(`${entry}.ts`, source), 'utf8')
    const stars = [...text.matchAll(/^export (?:type )?\* from '(.+)'/gm)]
    return [text, ...stars.map(([, file = '']) => readFileSync(new URL(file, source), 'utf8'))].join('\n')
  }

  test.each(['account', 'chain', 'errors', 'sheet', 'core'])('%s has each name that moved to it', (entry) => {
    const text = textOf(entry)
    const moved = listMoved().filter((name) => findPlace(name)?.entry === entry)
    expect(moved.length).toBeGreaterThan(1)
    expect(moved.filter((name) => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([])
  })

  test('the root has none of them', () => {
    const text = textOf('index').replaceAll(/ from '.*'/g, '')
    expect(listMoved().filter((name) => new RegExp(`\\b${name}\\b`).test(text))).toEqual([])
  })
})

import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../steps/root.mjs'
import { runQuietly } from '../steps/run/runQuietly.mjs'
import { createPackage, measure, npm } from './install.mjs'

const app = `import { CountersignProvider, type Doc, useLiveDocuments, useSaveDocument, useSession } from '@countersign/react'
import { createClient, signOut } from '@countersign/react/core'
import { UserRejectedError } from '@countersign/react/errors'
import { getServerSession } from '@countersign/react/server'
import { SignInButton } from '@countersign/react/sheet'
import '@countersign/react/sheet.css'
import { createTestClient } from '@countersign/react/testing'
import { endpoints } from '@countersign/protocol'
import { contract } from '@countersign/protocol/contract'
import { MoralisProvider, useMoralis } from '@countersign/moralis'

declare module '@countersign/react' {
  interface Register {
    classes: { Score: { player: string; points: number } }
  }
}

function Scores() {
  const { user } = useSession()
  const { data: scores = [] } = useLiveDocuments('Score', { order: ['-points'] })
  const { create } = useSaveDocument('Score')
  if (!user) return <SignInButton />
  const add = () => void create({ player: user.username ?? '', points: 1 })
  return <ul onClick={add}>{scores.map(({ objectId, player }: Doc<'Score'>) => <li key={objectId}>{player}</li>)}</ul>
}

export const App = () => (
  <CountersignProvider appId="a" serverUrl="/server" initializeOnMount>
    <Scores />
  </CountersignProvider>
)
// @ts-expect-error: a field that the class does not have
export const Wrong = () => useLiveDocuments('Score', { order: ['-pints'] })
export const all = [createClient, signOut, UserRejectedError, getServerSession, createTestClient, endpoints, contract]
export const older = [MoralisProvider, useMoralis]
`

const options = {
  strict: true,
  noEmit: true,
  skipLibCheck: false,
  noUncheckedIndexedAccess: true,
  module: 'nodenext',
  target: 'es2022',
  lib: ['es2023', 'dom', 'dom.iterable'],
  jsx: 'react-jsx',
  types: [],
}

/**
 * Checks an installed application: types compile under strict TypeScript with the declarations themselves checked, and
 * every entry can be loaded.
 *
 * @param {import('../packagesInstall.mjs').Stranger} stranger
 */
export async function checkReact(stranger) {
  const { folder, env, node, say } = stranger
  createPackage(folder)
  const start = performance.now()
  await npm(stranger, ['install', '@countersign/react', ...versions('react', 'react-dom', 'viem')])
  const { packages, megabytes } = measure(folder)
  const seconds = (performance.now() - start) / 1000
  say(`npm install @countersign/react: ${packages} packages, ${megabytes.toFixed(0)} MB, ${seconds.toFixed(1)} s`)
  const types = versions('@types/react', '@types/react-dom')
  await npm(stranger, ['install', '@countersign/moralis', 'typescript@5.9.3', ...types])

  writeFileSync(join(folder, 'app.tsx'), app)
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['app.tsx'] }))
  const tsc = await runQuietly(node, ['node_modules/typescript/bin/tsc', '--listFiles'], {
    cwd: folder,
    env,
  })
  assert.equal(tsc.code, 0, tsc.output.replace(/^\/.*\n/gm, ''))
  assert.ok(!tsc.output.includes(`${root}/`), 'A file of the repository is compiled.')

  const entries = ['', '/core', '/errors', '/i18n', '/native', '/server', '/sheet', '/suspense', '/testing']
  const names = [
    ...entries.map((entry) => `@countersign/react${entry}`),
    '@countersign/moralis',
    '@countersign/protocol',
  ]
  const load = `for (const name of ${JSON.stringify(names)}) await import(name)`
  const loaded = await runQuietly(node, ['--input-type=module', '-e', load], { cwd: folder, env })
  assert.equal(loaded.code, 0, loaded.output)
}

/**
 * The versions that the repository itself uses: what others publish tomorrow decides nothing here.
 *
 * @param {string[]} names
 */
function versions(...names) {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'packages/react/package.json'), 'utf8'))
  return names.map((name) => `${name}@${devDependencies[name]}`)
}

// @vitest-environment node
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { loadConfig, runBuild } from 'metro'
import { afterAll, beforeAll, expect, test } from 'vitest'

// Checks that Metro bundles the built entry for React Native with every part that is loaded later and without modules
// of Node.js, and that the core of the bundle runs with React Native's globals and no page: it initializes, signs in,
// keeps the session in an asynchronous storage, and reads and saves documents.

const root = join(import.meta.dirname, '../../..')
let app = ''
let code = ''
const asked: string[] = []

const entry = `
import { createNativeClient, useDocuments, CountersignProvider } from '@countersign/react/native'
import { createDocument, findDocuments, defineQuery, initialize, saveDocuments, signInWithPassword } from '@countersign/react/core'

globalThis.main = async (storage, fetch, appState) => {
  const client = createNativeClient({ appId: 'app', serverUrl: 'https://server.test/server/', storage, fetch, appState, attemptLimit: 1 })
  await initialize(client, {}, { throwOnError: true })
  const before = client.session.get().status
  await signInWithPassword(client, { username: 'ada', password: 'x' }, { throwOnError: true })
  const games = await findDocuments(client, defineQuery('Game', { where: { n: 1 } }))
  const game = await createDocument(client, 'Game', { title: 'Chess' })
  const many = await saveDocuments(client, [{ className: 'Game', fields: { title: 'Go' } }])
  return { before, after: client.session.get().status, games: games.length, title: game.title, many: many[0].status, hooks: [typeof useDocuments, typeof CountersignProvider] }
}
`

beforeAll(async () => {
  app = await mkdtemp(join(tmpdir(), 'countersign-metro-'))
  const modules = join(app, 'node_modules')
  await mkdir(join(modules, '@countersign'), { recursive: true })
  for (const name of ['react', 'protocol']) {
    const to = join(modules, '@countersign', name)
    await mkdir(to)
    await cp(join(root, 'packages', name, 'package.json'), join(to, 'package.json'))
    const filter = (path: string) => !/\.(d\.ts|map|tsbuildinfo\S*)$/.test(path)
    await cp(join(root, 'packages', name, 'dist'), join(to, 'dist'), { recursive: true, filter })
  }
  for (const name of ['react', 'metro-runtime', 'uqr']) {
    await cp(join(root, 'node_modules', name), join(modules, name), { recursive: true, dereference: true })
  }
  await writeFile(join(app, 'package.json'), '{ "name": "app", "version": "1.0.0" }')
  await writeFile(join(app, 'index.js'), entry)
  const config = await loadConfig(
    { cwd: app, 'reset-cache': true },
    {
      projectRoot: app,
      // Folder of Metro's own `require`.
      watchFolders: [join(root, 'node_modules/metro-runtime')],
      cacheStores: [],
      maxWorkers: 1,
      resolver: {
        useWatchman: false,
        emptyModulePath: join(modules, 'metro-runtime/src/modules/empty-module.js'),
        resolveRequest(context, name, platform) {
          asked.push(name)
          // The application brings it, or does without.
          if (/^(viem|zod)($|\/)/.test(name)) return { type: 'empty' }
          return context.resolveRequest(context, name, platform)
        },
      },
      transformer: {
        // As React Native's own preset does, which is not installed here.
        getTransformOptions: async () => ({ transform: { experimentalImportSupport: true, inlineRequires: false } }),
      },
      reporter: { update: () => undefined },
    },
  )
  const built = await runBuild(config, { entry: 'index.js', platform: 'ios', dev: false, minify: false })
  code = built.code
}, 300_000)
afterAll(() => rm(app, { recursive: true, force: true }))

test('Metro bundles the entry for React Native, and nothing in it is of Node.js', () => {
  expect(code.length).toBeGreaterThan(50_000)
  expect(asked.filter((name) => name.startsWith('node:'))).toEqual([])
  expect(asked.filter((name) => name === 'react-dom' || name.startsWith('react-dom/'))).toEqual([])
})

test('the core of the bundle runs with the globals of React Native', async () => {
  class NativeUrl {
    readonly protocol = 'https:'
    get origin(): string {
      throw new Error('URL.origin is not implemented')
    }
  }
  const timers = { setTimeout, clearTimeout, setInterval, clearInterval, queueMicrotask }
  const web = { AbortController, Headers, Response, FormData, TextEncoder, TextDecoder, URL: NativeUrl }
  const context: Record<string, unknown> = createContext({ ...timers, ...web, console, performance, __DEV__: false })
  Object.assign(context, { window: context, self: context, global: context, navigator: { product: 'ReactNative' } })
  runInContext(code, context)
  const items = new Map<string, string>()
  const storage = {
    getItem: async (key: string) => items.get(key) ?? null,
    setItem: async (key: string, value: string) => void items.set(key, value),
    removeItem: async (key: string) => void items.delete(key),
  }
  const time = '2024-01-01T00:00:00.000Z'
  const user = { objectId: 'u1', username: 'ada', createdAt: time, updatedAt: time }
  const paths: string[] = []
  const answer = async (address: string, init: { body?: string }) => {
    const path = address.replace('https://server.test/server', '')
    paths.push(path)
    const body =
      path === '/login'
        ? { ...user, sessionToken: 'r:token' }
        : path === '/batch'
          ? JSON.parse(init.body ?? '{}').requests.map(({ path }: { path: string }) => {
              paths.push(path)
              return { success: { objectId: 'g2', createdAt: time } }
            })
          : init.body?.includes('_method')
            ? { results: [{ objectId: 'g1', createdAt: time, updatedAt: time }] }
            : { objectId: 'g1', createdAt: time }
    return new Response(JSON.stringify(body), { headers: { 'Content-Type': 'application/json' } })
  }
  const main = context.main as (...given: unknown[]) => Promise<unknown>
  expect(await main(storage, answer)).toEqual({
    before: 'unauthenticated',
    after: 'authenticated',
    games: 1,
    title: 'Chess',
    many: 'success',
    hooks: ['function', 'function'],
  })
  expect(paths).toEqual(['/login', '/classes/Game', '/classes/Game', '/batch', '/server/classes/Game'])
  expect(items.get('Countersign/app/session')).toContain('r:token')
})

test('every part of the core that is loaded later is in the bundle', async () => {
  const names = await readdir(join(root, 'packages/react/dist/core/documents'))
  expect(names).toContain('writing.js')
  const text = await readFile(join(root, 'packages/react/dist/core/documents/loadWriting.js'), 'utf8')
  expect(text).toContain("import('./writing.js')")
  expect(code).toContain('destroyMany')
})

// Drives every major version of the public parse client, in Node, against a server of its own.
// node e2e/parseClients/run.mjs [--output report.json]; npm run test:ci -- --only clients installs what it needs first.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startServer } from '../lib/servers/startServer.mjs'

const require = createRequire(import.meta.url)
const { dependencies } = JSON.parse(await readFile(new URL('./package.json', import.meta.url), 'utf8'))
const { values } = parseArgs({ options: { output: { type: 'string' } } })

const folder = await mkdtemp(join(tmpdir(), 'countersign-clients-'))
const cloud = join(folder, 'cloud.js')
await writeFile(
  cloud,
  `Parse.Cloud.define('greet', ({ params, user }) => 'Hello ' + params.name + ', says ' + user.get('username'))\n`,
)
const server = await startServer({ cloud })
const { appId } = await (await fetch(`${server.url}/config.json`)).json()

/** @type {{ test: string, reason: string }[]} */
const faults = []
let passed = 0
for (const [name, version] of Object.entries(dependencies)) {
  for (const [title, step] of Object.entries(steps(name))) {
    try {
      await within(60_000, step())
      passed++
      console.log(`✓ ${version} ${title}`)
    } catch (error) {
      const reason = error instanceof Error ? error.message : JSON.stringify(error)
      faults.push({ test: `${version} ${title}`, reason })
      console.log(`✗ ${version} ${title}\n  ${error instanceof Error ? error.stack : reason}`)
    }
  }
}
await server.stop()
await rm(folder, { recursive: true })
if (values.output) await writeFile(values.output, JSON.stringify({ passed, failed: faults.length, faults }))
// Sockets of older versions stay open.
process.exit(faults.length > 0 ? 1 : 0)

/**
 * Steps of a client in this order: later ones use the results of earlier ones.
 *
 * @param {string} name of the package
 * @returns {Record<string, () => Promise<void>>}
 */
function steps(name) {
  const Parse = require(`${name}/node`)
  Parse.initialize(appId)
  Parse.serverURL = `${server.url}/server`
  Parse.User.enableUnsafeCurrentUser()
  const username = `user-of-${name}`
  const Game = `Game_${name.replace('-', '_')}`
  /** @type {any} */
  let game

  return {
    'signs up, out and in, and becomes the user of a token': async () => {
      const user = new Parse.User()
      await user.signUp({ username, password: 'first secret', email: `${name}@example.com` })
      const token = user.getSessionToken()
      assert.match(token, /^r:/)
      await assert.rejects(new Parse.User().signUp({ username, password: 'x' }), { code: 202 })
      await Parse.User.become(token)
      await Parse.User.logOut()
      await assert.rejects(Parse.User.become(token), { code: 209 })
      await assert.rejects(Parse.User.logIn(username, 'wrong'), { code: 101 })
      const again = await Parse.User.logIn(username, 'first secret')
      assert.equal(again.id, user.id)
      assert.equal(again.get('email'), `${name}@example.com`)
    },
    'saves, changes by operations, fetches and deletes': async () => {
      game = new Parse.Object(Game)
      await game.save({ title: 'Chess', points: 1, played: new Date('2020-02-02T02:02:02.002Z'), tags: ['old'] })
      game.increment('points', 4)
      game.addUnique('tags', 'new')
      await game.save()
      const found = await new Parse.Query(Game).get(game.id)
      assert.deepEqual([found.get('points'), found.get('tags')], [5, ['old', 'new']])
      assert.equal(found.get('played').toISOString(), '2020-02-02T02:02:02.002Z')
      const gone = await new Parse.Object(Game).save({ title: 'Gone' })
      await gone.destroy()
      await assert.rejects(new Parse.Query(Game).get(gone.id), { code: 101 })
    },
    'saves many at a time': async () => {
      const many = Array.from({ length: 25 }, (_, points) => new Parse.Object(Game, { title: 'Go', points }))
      await Parse.Object.saveAll(many)
      assert.ok(many.every(({ id }) => id))
    },
    'queries with conditions, order, count, either, and included objects': async () => {
      const query = new Parse.Query(Game).equalTo('title', 'Go').greaterThan('points', 20).descending('points')
      const found = await query.find()
      assert.deepEqual(
        found.map((/** @type {any} */ each) => each.get('points')),
        [24, 23, 22, 21],
      )
      assert.equal(await new Parse.Query(Game).equalTo('title', 'Go').count(), 25)
      const either = Parse.Query.or(
        new Parse.Query(Game).equalTo('title', 'Chess'),
        new Parse.Query(Game).equalTo('points', 24),
      )
      assert.equal((await either.find()).length, 2)
      const move = await new Parse.Object(`${Game}_Move`).save({ game })
      const included = await new Parse.Query(`${Game}_Move`).include('game').get(move.id)
      assert.equal(included.get('game').get('title'), 'Chess')
    },
    'adds to a relation and queries it': async () => {
      const players = await Parse.Object.saveAll(['Ada', 'Bo'].map((first) => new Parse.Object('Player', { first })))
      game.relation('players').add(players)
      await game.save()
      assert.equal((await game.relation('players').query().find()).length, 2)
      // By an object that was read: versions before 5 send nothing for one that was just added to.
      const read = await new Parse.Query(Game).get(game.id)
      read.relation('players').remove(players[0])
      await read.save()
      const [left] = await game.relation('players').query().find()
      assert.equal(left.get('first'), 'Bo')
    },
    'keeps what an access list says': async () => {
      const secret = new Parse.Object(Game, { title: 'Secret' })
      secret.setACL(new Parse.ACL(Parse.User.current()))
      await secret.save()
      await Parse.User.logOut()
      await assert.rejects(new Parse.Query(Game).get(secret.id), { code: 101 })
      await Parse.User.logIn(username, 'first secret')
      assert.equal((await new Parse.Query(Game).get(secret.id)).get('title'), 'Secret')
    },
    'uploads a file and reads it back through an object': async () => {
      const file = new Parse.File('hello.txt', { base64: Buffer.from('Hello').toString('base64') }, 'text/plain')
      await file.save()
      game.set('file', file)
      await game.save()
      const url = (await new Parse.Query(Game).get(game.id)).get('file').url()
      assert.equal(await (await fetch(url)).text(), 'Hello')
    },
    'runs a cloud function': async () => {
      assert.equal(await Parse.Cloud.run('greet', { name }), `Hello ${name}, says ${username}`)
      await assert.rejects(Parse.Cloud.run('nothing'), { code: 141 })
    },
    'is notified by a live query': async () => {
      const subscription = await new Parse.Query(Game).equalTo('title', 'Live').subscribe()
      /** @type {Promise<string>} */
      const created = new Promise((resolve) =>
        subscription.on('create', (/** @type {any} */ each) => resolve(each.get('title'))),
      )
      // Resolves once the server has confirmed the subscription.
      await subscription.subscribePromise
      const live = await new Parse.Object(Game).save({ title: 'Live' })
      assert.equal(await created, 'Live')
      const deleted = new Promise((resolve) => subscription.on('delete', resolve))
      await live.destroy()
      await deleted
      subscription.unsubscribe()
    },
  }
}

/**
 * @param {number} ms
 * @param {Promise<void>} work
 */
function within(ms, work) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`not done after ${ms} ms`)), ms)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

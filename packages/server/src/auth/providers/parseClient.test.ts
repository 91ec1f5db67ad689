import { randomUUID } from 'node:crypto'
import Parse from 'parse/node'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { serveTests } from '../../testing/serveTests.ts'

/** The public client, unchanged, with an adapter of the operator's own and data in the shape that Facebook's has. */

const server = serveTests({
  rateLimit: [],
  anonymous: { minimumIdLength: 4 },
  auth: {
    myAuth: { module: { validateAuthData: async () => {}, validateAppId: async () => {} } },
    facebook: {
      appIds: ['app'],
      module: {
        async validateAppId() {},
        async validateAuthData({ id, access_token }: { id?: unknown; access_token?: unknown }) {
          if (access_token !== `token-${id}`)
            throw Object.assign(new Error('Facebook auth is invalid for this user.'), { code: 101 })
        },
      },
    },
  },
})
beforeAll(async () => {
  const { initialize } = Parse as unknown as { initialize(appId: string): void }
  initialize(server.appId)
  Parse.serverURL = server.serverUrl
  Parse.User.enableUnsafeCurrentUser()
})
afterEach(() => Parse.User.logOut().catch(() => {}))

const facebookData = (id: string) => ({
  id,
  access_token: `token-${id}`,
  expiration_date: new Date(Date.now() + 3_600_000).toJSON(),
})
const newName = () => `parse-${randomUUID()}`
/** In the place of a provider's own script. */
function createProvider(name: string, authData: object) {
  const provider = {
    authenticate: (options: { success(provider: unknown, data: object): void }) => options.success(provider, authData),
    restoreAuthentication: () => true,
    getAuthType: () => name,
    deauthenticate: () => {},
  }
  return provider
}

test('logInWith signs up and signs in; the current user is the one', async () => {
  const authData = facebookData(randomUUID())
  const user = await Parse.User.logInWith('facebook', { authData })
  expect(user.existed()).toBe(false)
  expect(user._isLinked('facebook')).toBe(true)
  expect(user.get('authData').facebook).toEqual(authData)
  expect(Parse.User.current()?.id).toBe(user.id)
  await Parse.User.logOut()
  const again = await Parse.User.logInWith('facebook', { authData })
  expect([again.id, again.existed()]).toEqual([user.id, true])
  await again.fetch()
  expect(again._isLinked('facebook')).toBe(true)
})

test('an object of a provider works as well as its name', async () => {
  const mine = createProvider('myAuth', { id: randomUUID() })
  const user = await (Parse.User.logInWith as (provider: unknown) => Promise<Parse.User>)(mine)
  expect(user._isLinked('myAuth')).toBe(true)
})

test('link, two providers on one user, unlink; the session stays', async () => {
  const user = new Parse.User({ username: newName(), password: 'secret words' })
  await user.signUp()
  const token = user.getSessionToken()
  const [facebook, mine] = [facebookData(randomUUID()), { id: randomUUID() }]
  await user.linkWith('facebook', { authData: facebook })
  await user.linkWith('myAuth', { authData: mine })
  expect([user._isLinked('facebook'), user._isLinked('myAuth')]).toEqual([true, true])
  const fresh = await Parse.User.become(String(token))
  expect([fresh._isLinked('facebook'), fresh._isLinked('myAuth')]).toEqual([true, true])
  await fresh._unlinkFrom('facebook')
  expect([fresh._isLinked('facebook'), fresh._isLinked('myAuth')]).toEqual([false, true])
  fresh.set('nick', 'still here')
  await fresh.save()
  expect(fresh.getSessionToken()).toBe(token)
  await Parse.User.logOut()
  expect((await Parse.User.logInWith('myAuth', { authData: mine })).id).toBe(user.id)
  await Parse.User.logOut()
  expect((await Parse.User.logInWith('facebook', { authData: facebook })).id).not.toBe(user.id)
})

test('a foreign identity is refused, and so is a wrong token; the session is untouched', async () => {
  const taken = facebookData(randomUUID())
  await Parse.User.logInWith('facebook', { authData: taken })
  await Parse.User.logOut()
  const user = new Parse.User({ username: newName(), password: 'secret words' })
  await user.signUp()
  const token = user.getSessionToken()
  await expect(user.linkWith('facebook', { authData: taken })).rejects.toMatchObject({
    code: Parse.Error.ACCOUNT_ALREADY_LINKED,
    message: 'this auth is already used',
  })
  await expect(
    user.linkWith('facebook', { authData: { ...facebookData(randomUUID()), access_token: 'stolen' } }),
  ).rejects.toMatchObject({ code: 101, message: 'Facebook auth is invalid for this user.' })
  await expect(user.linkWith('nobody', { authData: { id: 'x' } })).rejects.toMatchObject({ code: 252 })
  const me = await Parse.User.become(String(token))
  expect([me.id, me._isLinked('facebook')]).toEqual([user.id, false])
})

test('an anonymous user becomes one of Facebook', async () => {
  const guest = await Parse.AnonymousUtils.logIn()
  expect(Parse.AnonymousUtils.isLinked(guest)).toBe(true)
  const authData = facebookData(randomUUID())
  await guest.linkWith('facebook', { authData })
  expect([Parse.AnonymousUtils.isLinked(guest), guest._isLinked('facebook')]).toEqual([false, true])
  await Parse.User.logOut()
  expect((await Parse.User.logInWith('facebook', { authData })).id).toBe(guest.id)
})

test('a short id of a guest, where the operator allows it', async () => {
  const user = await Parse.User.logInWith('anonymous', { authData: { id: '1234' } })
  expect(user._isLinked('anonymous')).toBe(true)
})

// Last: from here on the client asks Facebook's script with each sign-in.
test('the Facebook utilities sign in, link and unlink', async () => {
  const authData = facebookData(randomUUID())
  // Global object of Facebook's script.
  Reflect.set(globalThis, 'FB', {
    init: () => {},
    login: (done: (response: object) => void) =>
      done({ authResponse: { userID: authData.id, accessToken: authData.access_token, expiresIn: 3_600 } }),
    getAuthResponse: () => ({ userID: authData.id }),
    logout: () => {},
  })
  Parse.FacebookUtils.init({ appId: 'app' })
  const user = await Parse.FacebookUtils.logIn('email', {})
  expect(Parse.FacebookUtils.isLinked(user)).toBe(true)
  // Another sign-in method first: the last one stays.
  await expect(Parse.FacebookUtils.unlink(user, {})).rejects.toMatchObject({ code: 119 })
  user.setPassword('secret words')
  await user.save()
  await Parse.FacebookUtils.unlink(user, {})
  expect(Parse.FacebookUtils.isLinked(user)).toBe(false)
  await Parse.FacebookUtils.link(user, 'email', {})
  expect(Parse.FacebookUtils.isLinked(user)).toBe(true)
  Reflect.deleteProperty(globalThis, 'FB')
})

import Parse from 'parse/node'
import { beforeAll, expect, test } from 'vitest'
import { serveTests } from '../../testing/serveTests.ts'

const server = serveTests()
beforeAll(async () => {
  // The package's types for Node leave its first function out.
  const { initialize } = Parse as unknown as { initialize(appId: string): void }
  initialize(server.appId)
  Parse.serverURL = server.serverUrl
  Parse.User.enableUnsafeCurrentUser()
})

test('the public parse client signs up, logs in, becomes, saves, fetches and logs out', async () => {
  const user = new Parse.User()
  user.set('username', 'parse-user')
  user.set('password', 'first secret')
  user.set('email', 'parse@example.com')
  user.set('born', new Date('1990-05-05T05:05:05.005Z'))
  user.set('tags', ['a'])
  await user.signUp()
  expect(user.id).toMatch(/^\w{10}$/)
  expect(Parse.User.current()?.getSessionToken()).toMatch(/^r:/)

  const duplicate = new Parse.User({ username: 'PARSE-user', password: 'x' })
  await expect(duplicate.signUp()).rejects.toMatchObject({ code: 202 })
  await Parse.User.logOut()
  expect(Parse.User.current()).toBeNull()

  await expect(Parse.User.logIn('parse-user', 'wrong')).rejects.toMatchObject({
    code: 101,
    message: 'Invalid username/password.',
  })
  await Parse.User.logIn('parse-user', 'first secret', { usePost: false })
  await Parse.User.logOut()
  const again = await Parse.User.logIn('parse-user', 'first secret')
  expect(again.get('born')).toEqual(new Date('1990-05-05T05:05:05.005Z'))
  expect(again.getEmail()).toBe('parse@example.com')

  const token = again.getSessionToken() as string
  const became = await Parse.User.become(token)
  expect([became.id, became.getSessionToken()]).toEqual([user.id, token])

  became.set('nick', 'Nick')
  became.addUnique('tags', 'b')
  became.increment('visits', 2)
  became.unset('born')
  await became.save()
  expect([became.get('tags'), became.get('visits')]).toEqual([['a', 'b'], 2])

  const fetched = await became.fetch()
  expect(fetched.toJSON()).toMatchObject({ nick: 'Nick', tags: ['a', 'b'], visits: 2 })
  expect(fetched.has('born')).toBe(false)
  expect(fetched.getSessionToken()).toBe(token)

  const session = await Parse.Session.current()
  expect(session.get('createdWith')).toEqual({ action: 'login', authProvider: 'password' })

  became.set('visits', 'a text')
  await expect(became.save()).rejects.toMatchObject({ code: 111 })
  became.revert()

  expect(await Parse.User.verifyPassword('parse-user', 'first secret')).toMatchObject({ objectId: user.id })
  await Parse.User.requestPasswordReset('parse@example.com')

  became.set('password', 'second secret')
  await became.save()
  expect(became.getSessionToken()).not.toBe(token)
  await Parse.User.logOut()
  await expect(Parse.User.become(token)).rejects.toMatchObject({ code: 209 })

  const last = await Parse.User.logIn('parse@example.com', 'second secret')
  await last.destroy()
  // Sign-in fails; the response says that the account can still be restored.
  await expect(Parse.User.logIn('parse-user', 'second secret')).rejects.toMatchObject({ code: 119 })
})

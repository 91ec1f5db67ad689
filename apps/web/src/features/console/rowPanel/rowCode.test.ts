import { expect, test } from 'vitest'
import { writeRowCode } from './rowCode.ts'

const server = { serverUrl: 'https://example.org/server', appId: 'my app' }

test('an object is read with each client', () => {
  const { hook, parse, curl } = writeRowCode(server, 'Game', 'a1')
  expect(hook).toBe('const { data, error } = useDocument("Game", "a1")')
  expect(parse).toBe('const object = await new Parse.Query("Game").get("a1")')
  expect(curl).toContain("curl 'https://example.org/server/classes/Game/a1'")
})

test('names from the database run nothing in a shell or a program', () => {
  const { hook, curl } = writeRowCode({ ...server, appId: "a'; echo no" }, 'Game', '"); $(echo no)')
  expect(hook).toContain(String.raw`"\"); $(echo no)"`)
  expect(curl).toContain("'https://example.org/server/classes/Game/%22)%3B%20%24(echo%20no)'")
  expect(curl).toContain(String.raw`-H 'X-Parse-Application-Id: a'\''; echo no'`)
})

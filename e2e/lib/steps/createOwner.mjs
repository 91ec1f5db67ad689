import { password } from './password.mjs'

const agents = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:143.0) Gecko/20100101 Firefox/143.0',
  'curl/8.5.0',
]

/**
 * An account with something to show on every screen: fields of every kind and sessions elsewhere. `taken` is a name
 * that it cannot take.
 *
 * @param {ReturnType<typeof import('../createApi.mjs').createApi>} api
 * @param {string} username
 */
export async function createOwner(api, username) {
  await api.signUp({ username: 'taken', password })
  await api.signUp({
    username,
    password,
    email: `${username}@example.org`,
    city: 'London',
    favouriteNumber: 7,
    newsletter: true,
    born: { __type: 'Date', iso: '1815-12-10T00:00:00.000Z' },
    languages: ['English', 'French', 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch'],
  })
  for (const agent of agents) await api.logIn({ username, password }, agent)
  return username
}

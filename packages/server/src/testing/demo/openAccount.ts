import type { Api } from './createApi.ts'
import { ada } from './people.ts'

/** Ada's account, with her wallet linked by her signature. Where it is there already, it stays as it is. */
export async function openAccount(api: Api): Promise<void> {
  const { name: username, password, account } = ada
  const where = encodeURIComponent(JSON.stringify({ username }))
  const { results } = await api.ask<{ results: object[] }>('GET', `/users?where=${where}`, undefined, { master: true })
  if (results.length > 0) return
  const { sessionToken: token } = await api.ask<{ sessionToken: string }>('POST', '/users', { username, password })
  const asked = { purpose: 'link', address: account.address, chainId: 31_337 }
  const { message } = await api.ask<{ message: string }>('POST', '/auth/challenge', asked, { token })
  const signature = await account.signMessage({ message })
  await api.ask('POST', '/auth/wallets', { message, signature }, { token })
  await api.ask('POST', '/logout', {}, { token })
}

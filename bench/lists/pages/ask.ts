import { appId, serverUrl } from './rows.tsx'

const token = localStorage.getItem('token')

/** A request as an application without our client writes it. */
export async function ask(method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${serverUrl}${path}`, {
    method,
    headers: {
      'X-Parse-Application-Id': appId ?? '',
      'Content-Type': 'application/json',
      ...(token && { 'X-Parse-Session-Token': token }),
    },
    body: body && JSON.stringify(body),
  })
  if (!response.ok) throw new Error(String(response.status))
  return response.json()
}

export async function findUser(): Promise<{ username: string } | null> {
  return token ? ((await ask('GET', '/users/me')) as { username: string }) : null
}

export type Api = {
  url: string
  ask<Answer>(
    method: string,
    path: string,
    body?: object,
    options?: { master?: boolean; token?: string },
  ): Promise<Answer>
}

type Keys = { appId: string; masterKey: string }

/** The HTTP API of the server, as any program would use it. */
export function createApi(url: string, { appId, masterKey }: Keys): Api {
  return {
    url,
    async ask<Answer>(
      method: string,
      path: string,
      body?: object,
      { master = false, token }: { master?: boolean; token?: string } = {},
    ) {
      const response = await fetch(`${url}/server${path}`, {
        method,
        headers: {
          'Content-Type': 'application/json',
          'X-Parse-Application-Id': appId,
          'X-Parse-Installation-Id': 'countersign-demo',
          ...(master && { 'X-Parse-Master-Key': masterKey }),
          ...(token && { 'X-Parse-Session-Token': token }),
        },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(20_000),
      })
      const answer = await response.json()
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`)
      return answer as Answer
    },
  }
}

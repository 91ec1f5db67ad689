import * as query from '@tanstack/react-query'
import { inferAdditionalFields, siweClient, usernameClient } from 'better-auth/client/plugins'
import { createAuthClient } from 'better-auth/react'
import { type ClientResponse, hc, type InferResponseType } from 'hono/client'
import { useEffect, useState } from 'react'
import { BaseError, ContractFunctionRevertedError, parseAbi, UserRejectedRequestError } from 'viem'
import { createSiweMessage } from 'viem/siwe'
import * as wagmi from 'wagmi'
import { mainnet } from 'wagmi/chains'
import type { Api, auth as serverAuth } from './server.ts'

const baseURL = globalThis.location?.origin ?? 'http://localhost:3000'
const { api } = hc<Api>(baseURL, { init: { credentials: 'include' } })
const plugins = [usernameClient(), siweClient(), inferAdditionalFields<typeof serverAuth>()]
const auth = createAuthClient({ baseURL, plugins }) // Follows the other tabs, too.
const config = wagmi.createConfig({ chains: [mainnet], transports: { [mainnet.id]: wagmi.http() } })
type Games = InferResponseType<typeof api.games.$get, 200>
type Game = Games['games'][number]
type Message = InferResponseType<(typeof api.games)[':id']['messages']['$get'], 200>[number]
type Pages = query.InfiniteData<Games, { likes: string; id: string } | undefined>
const coin = { address: '0x6B175474E89094C44Da98b954EedeAC495271d0F', chainId: 1 } as const
const abi = parseAbi(['function totalSupply() view returns (uint256)', 'function burn(uint256 amount)'])

class ApiError extends Error {
  readonly status: number
  readonly retryAfter: string | null
  constructor(message: string, status: number, retryAfter: string | null) {
    super(message)
    this.status = status
    this.retryAfter = retryAfter
  }
}

type Read<Response> = Response extends ClientResponse<infer Data> ? Exclude<Data, { message: string }> : never

async function read<Response extends ClientResponse<unknown>>(asked: Promise<Response>): Promise<Read<Response>> {
  const response = await asked
  if (response.ok) return (await response.json()) as Read<Response>
  const { message } = Object((await response.json()) ?? {}) as { message?: string }
  throw new ApiError(message ?? response.statusText, response.status, response.headers.get('Retry-After'))
}

export function App({ client }: { client: query.QueryClient }) {
  return (
    <wagmi.WagmiProvider config={config}>
      <query.QueryClientProvider client={client}>
        <Home />
      </query.QueryClientProvider>
    </wagmi.WagmiProvider>
  )
}

function Home() {
  const { data: session, isPending } = auth.useSession()
  const client = query.useQueryClient()
  const [game, choose] = useState<Game>()
  const id = session?.user.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: what one user read is not for the next
  useEffect(() => () => client.clear(), [client, id])
  if (isPending) return <p>Loading…</p>
  if (!session) return <SignIn />
  return (
    <main>
      <Button label={`Sign out ${session.user.nick ?? session.user.name}`} onPress={() => auth.signOut()} />
      <Games onChoose={choose} />
      {game && <Chat game={game} />}
      <Coin />
    </main>
  )
}

function SignIn() {
  const { mutateAsync: connect } = wagmi.useConnect()
  const { mutateAsync: sign } = wagmi.useSignMessage()
  const password = query.useMutation({
    mutationFn: async (form: FormData) => {
      const given = { username: String(form.get('name')), password: String(form.get('password')) }
      await check(auth.signIn.username(given))
    },
  })
  const wallet = query.useMutation({
    mutationFn: async (connector: wagmi.Connector) => {
      const { accounts, chainId } = await connect({ connector })
      const [address] = accounts
      const { nonce } = await check(auth.siwe.nonce())
      const { host: domain, origin: uri } = location
      const message = createSiweMessage({ address, chainId, domain, nonce, uri, version: '1' })
      await check(auth.siwe.verify({ message, signature: await sign({ message, account: address }) }))
    },
  })
  const wallets = wagmi.useConnectors().map((connector) => {
    return <Button key={connector.uid} label={connector.name} onPress={() => wallet.mutate(connector)} />
  })
  return (
    <form action={(form) => password.mutate(form)}>
      <input name="name" /> <input name="password" type="password" /> <input type="submit" /> {wallets}
      <Problem error={password.error ?? wallet.error} />
    </form>
  )
}

type Answer<Data> = { data: Data | null; error: { message?: string | undefined; status: number } | null }

async function check<Data>(asked: Promise<Answer<Data>>): Promise<Data> {
  const { data, error } = await asked
  if (error || data === null) throw new ApiError(error?.message ?? 'No answer.', error?.status ?? 500, null)
  return data
}

function Games({ onChoose }: { onChoose: (game: Game) => void }) {
  const client = query.useQueryClient()
  const [progress, setProgress] = useState(0)
  const games = query.useInfiniteQuery({
    queryKey: ['games'],
    queryFn: ({ pageParam }) => read(api.games.$get({ query: pageParam ?? {} })),
    initialPageParam: undefined as Pages['pageParams'][number],
    getNextPageParam: ({ games, hasMore }) => {
      const last = games.at(-1)
      return hasMore && last ? { likes: String(last.likes), id: last.id } : undefined
    },
  })
  const { data: stars } = query.useQuery({
    queryKey: ['averageLikes', 1],
    queryFn: () => read(api.averageLikes.$get({ query: { minimum: '1' } })),
  })
  const like = query.useMutation({
    mutationFn: ({ id }: Game) => read(api.games[':id'].like.$post({ param: { id } })),
    onMutate: async ({ id }) => {
      await client.cancelQueries({ queryKey: ['games'] })
      const former = client.getQueryData<Pages>(['games'])
      const add = (game: Game) => (game.id === id ? { ...game, likes: game.likes + 1 } : game)
      client.setQueryData<Pages>(['games'], (pages) => {
        return pages && { ...pages, pages: pages.pages.map((page) => ({ ...page, games: page.games.map(add) })) }
      })
      return { former }
    },
    onError: (_, __, context) => client.setQueryData(['games'], context?.former),
    onSettled: () => client.invalidateQueries({ queryKey: ['games'] }),
  })
  const add = query.useMutation({
    mutationFn: async (file: File) => {
      const cover = await upload(file, setProgress)
      return read(api.games.$post({ json: { title: file.name, cover } }))
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['games'] }),
  })
  return (
    <section>
      <input type="file" onChange={({ target }) => target.files?.[0] && add.mutate(target.files[0])} /> {progress}
      {games.data?.pages.flatMap((page) =>
        page.games.map((game) => (
          <p key={game.id}>
            <Button label={game.title} onPress={() => onChoose(game)} />
            <Button label={`${game.likes} likes`} onPress={() => like.mutate(game)} />
          </p>
        )),
      )}
      {games.hasNextPage && <Button label="More" onPress={() => games.fetchNextPage()} />} {stars?.average}
      <Problem error={games.error} />
    </section>
  )
}

/** `fetch` does not say how much was sent. */
function upload(file: File, onProgress: (fraction: number) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total)
    request.onload = () => {
      const fail = () =>
        reject(new ApiError(request.statusText, request.status, request.getResponseHeader('Retry-After')))
      request.status === 201 ? resolve(String(JSON.parse(request.responseText).url)) : fail()
    }
    request.onerror = () => reject(new ApiError('The server cannot be reached.', 0, null))
    request.open('POST', `/api/files?extension=${file.name.split('.').at(-1)}`)
    request.send(file)
  })
}

function Chat({ game: { id } }: { game: Game }) {
  const client = query.useQueryClient()
  const { data = [] } = query.useQuery({
    queryKey: ['messages', id],
    queryFn: () => read(api.games[':id'].messages.$get({ param: { id } })),
  })
  useEffect(() => {
    const source = new EventSource(`/api/games/${id}/live`)
    // Messages written during the disconnection must be read.
    source.onopen = () => void client.invalidateQueries({ queryKey: ['messages', id] })
    source.onmessage = ({ data }) => {
      const message: Message = JSON.parse(data)
      client.setQueryData<Message[]>(['messages', id], (known = []) => {
        return known.some((one) => one.id === message.id) ? known : [...known, message]
      })
    }
    return () => source.close()
  }, [client, id])
  const send = query.useMutation({
    mutationFn: (form: FormData) =>
      read(api.games[':id'].messages.$post({ param: { id }, json: { text: String(form.get('text')) } })),
  })
  const messages = data.map((message) => <p key={message.id}>{message.text}</p>)
  return <form action={(form) => send.mutate(form)}>{[...messages, <input key="text" name="text" />]}</form>
}

function Coin() {
  const { data } = wagmi.useReadContract({ ...coin, abi, functionName: 'totalSupply' })
  const { mutate: writeContract, error } = wagmi.useWriteContract()
  const burn = () => writeContract({ ...coin, abi, functionName: 'burn', args: [1n] })
  return error ? <Problem error={error} /> : <Button label={`Burn one of ${data}`} onPress={burn} />
}

function Problem({ error }: { error: Error | null }) {
  const find = (kind: typeof UserRejectedRequestError | typeof ContractFunctionRevertedError) =>
    error instanceof BaseError ? error.walk((cause) => cause instanceof kind) : null
  if (!error || find(UserRejectedRequestError)) return null
  if (error instanceof ApiError && error.status === 429) return <p role="alert">Wait {error.retryAfter} seconds.</p>
  const revert = find(ContractFunctionRevertedError)
  return <p role="alert">{revert instanceof ContractFunctionRevertedError ? revert.reason : error.message}</p>
}

function Button({ label, onPress }: { label: string; onPress: () => unknown }) {
  return <input type="button" value={label} onClick={() => void onPress()} />
}

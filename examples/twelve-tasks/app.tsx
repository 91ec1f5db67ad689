import * as countersign from '@countersign/react'
import { useReadContract, useWriteContract } from '@countersign/react/chain'
import { RateLimitedError, RevertError, UserRejectedError } from '@countersign/react/errors'
import { useState } from 'react'
import { parseAbi } from 'viem'

declare module '@countersign/react' {
  interface Register {
    classes: {
      Game: { title: string; likes?: number; cover?: countersign.StoredFile }
      Message: { text: string; game: countersign.Pointer<'Game'> }
      _User: { username: string; nick?: string }
    }
    functions: { averageLikes: { input: { minimum: number }; output: { average: number } } }
  }
}
type Game = countersign.Doc<'Game'>
const { op, useDocumentPages, useLiveDocuments, useSaveDocument, useSession } = countersign
const coin = { address: '0x6B175474E89094C44Da98b954EedeAC495271d0F', chainId: 1 } as const
const abi = parseAbi(['function totalSupply() view returns (uint256)', 'function burn(uint256 amount)'])

export function App({ client }: { client: countersign.Client }) {
  return (
    <countersign.CountersignProvider client={client} initializeOnMount>
      <Home />
    </countersign.CountersignProvider>
  )
}

function Home() {
  const session = useSession() // Follows the other tabs, too.
  const { signOut } = countersign.useSignOut()
  const [game, choose] = useState<Game>()
  if (session.status === 'undefined') return <p>Loading…</p>
  if (!session.user) return <SignIn />
  return (
    <main>
      <Button label={`Sign out ${session.user.nick ?? session.user.username}`} onPress={signOut} />
      <Games onChoose={choose} />
      {game && <Chat game={game} />}
      <Coin />
    </main>
  )
}

function SignIn() {
  const { signInWithPassword, error: wrong } = countersign.useSignInWithPassword()
  const { signInWithWallet, error: refused } = countersign.useSignInWithWallet()
  const submit = (form: FormData) =>
    signInWithPassword({ username: String(form.get('name')), password: String(form.get('password')) })
  const wallets = countersign.useConnectors().map((connector) => {
    return <Button key={connector.id} label={connector.name} onPress={() => signInWithWallet({ connector })} />
  })
  return (
    <form action={(form) => void submit(form)}>
      <input name="name" /> <input name="password" type="password" /> <input type="submit" /> {wallets}
      <Problem error={wrong ?? refused} />
    </form>
  )
}

function Games({ onChoose }: { onChoose: (game: Game) => void }) {
  const { data: games = [], hasMore, loadMore, error } = useDocumentPages('Game', { order: ['-likes'], limit: 20 })
  const { data: stars } = countersign.useFunction('averageLikes', { minimum: 1 })
  const { save, create } = useSaveDocument('Game', { optimistic: true })
  const { upload, progress } = countersign.useUpload()
  const add = async (file: File) => create({ title: file.name, cover: await upload({ file }, { throwOnError: true }) })
  return (
    <section>
      <input type="file" onChange={({ target }) => target.files?.[0] && void add(target.files[0])} /> {progress}
      {games.map((game) => (
        <p key={game.objectId}>
          <Button label={game.title} onPress={() => onChoose(game)} />
          <Button label={`${game.likes ?? 0} likes`} onPress={() => save(game, { likes: op.increment(1) })} />
        </p>
      ))}
      {hasMore && <Button label="More" onPress={loadMore} />} {stars?.average}
      <Problem error={error} />
    </section>
  )
}

function Chat({ game }: { game: Game }) {
  const { data = [] } = useLiveDocuments('Message', { where: { game }, order: ['createdAt'] })
  const { create } = useSaveDocument('Message')
  const send = (form: FormData) => void create({ text: String(form.get('text')), game })
  const messages = data.map(({ objectId, text }) => <p key={objectId}>{text}</p>)
  return <form action={send}>{[...messages, <input key="text" name="text" />]}</form>
}

function Coin() {
  const { data } = useReadContract({ ...coin, abi, functionName: 'totalSupply' })
  const { writeContract, error } = useWriteContract()
  const burn = () => writeContract({ ...coin, abi, functionName: 'burn', args: [1n] })
  return error ? <Problem error={error} /> : <Button label={`Burn one of ${data}`} onPress={burn} />
}

function Problem({ error }: { error: Error | undefined }) {
  if (!error || error instanceof UserRejectedError) return null
  if (error instanceof RateLimitedError) return <p role="alert">Wait {error.rateLimit?.retryAfter} seconds.</p>
  return <p role="alert">{error instanceof RevertError ? error.revertReason : error.message}</p>
}

function Button({ label, onPress }: { label: string; onPress: () => unknown }) {
  return <input type="button" value={label} onClick={() => void onPress()} />
}

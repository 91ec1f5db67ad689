import { pointer, useFunction, useLiveDocuments, useSaveDocument, useSession, useSignOut } from '@countersign/react'
import { SignInButton } from '@countersign/react/sheet'
import { useState } from 'react'

export function App() {
  const session = useSession()
  return (
    <>
      <Header />
      {session.status === 'authenticated' && <NewMessage />}
      <Messages />
    </>
  )
}

function Header() {
  const session = useSession()
  const { signOut, status } = useSignOut()
  return (
    <header>
      <h1>Messages</h1>
      {session.status === 'authenticated' ? (
        <button type="button" disabled={status === 'pending'} onClick={() => void signOut()}>
          Sign out {session.user.username}
        </button>
      ) : (
        <SignInButton />
      )}
    </header>
  )
}

function NewMessage() {
  const session = useSession()
  const { create, status, error } = useSaveDocument('Message')
  const [text, setText] = useState('')
  if (session.status !== 'authenticated') return null
  const send = async () => {
    const saved = await create({ text, author: pointer('_User', session.user.objectId) })
    if (saved) setText('')
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <input
        aria-label="Message"
        value={text}
        maxLength={280}
        required
        onChange={({ target }) => setText(target.value)}
      />
      <button type="submit" disabled={status === 'pending'}>
        Send
      </button>
      {error && <p role="alert">{error.message}</p>}
    </form>
  )
}

/** Live list of all messages. */
function Messages() {
  const { data: messages = [], error } = useLiveDocuments('Message', { order: ['-createdAt'], limit: 50 })
  const { data: count } = useFunction('countMessages', {})
  return (
    <main>
      {error && <p role="alert">{error.message}</p>}
      {count && <p>{count.all} messages when this page was opened</p>}
      <ul>
        {messages.map(({ objectId, text }) => (
          <li key={objectId}>{text}</li>
        ))}
      </ul>
    </main>
  )
}

import { pointer, useSaveDocument, useSession, useSignOut } from '@countersign/react'
import { SignInButton } from '@countersign/react/sheet'
import { useState } from 'react'
import { MessageList } from './MessageList.tsx'

export function App() {
  return (
    <>
      <Header />
      <main>
        <NewMessage />
        <MessageList />
      </main>
    </>
  )
}

function Header() {
  const session = useSession()
  const { signOut, status } = useSignOut()
  return (
    <header>
      <h1>
        <img src="/favicon.svg" alt="" width="32" height="32" />
        Messages
      </h1>
      {session.status === 'authenticated' && (
        <div className="account">
          <span className="name" title={session.user.username}>
            {session.user.username}
          </span>
          <button type="button" className="quiet" disabled={status === 'pending'} onClick={() => void signOut()}>
            Sign out
          </button>
        </div>
      )}
    </header>
  )
}

/** Shown at once, and taken back if the server refuses. */
function NewMessage() {
  const session = useSession()
  const { create, error } = useSaveDocument('Message', { optimistic: true })
  const [text, setText] = useState('')
  if (session.status !== 'authenticated')
    return (
      <section className="card welcome">
        <h2>Say something</h2>
        <p>Sign in to write. Everyone sees new messages at once.</p>
        <SignInButton />
      </section>
    )
  const author = pointer('_User', session.user.objectId)
  const send = async () => {
    const draft = text.trim()
    if (!draft) return
    setText('')
    const saved = await create({ text: draft, author })
    if (!saved) setText(draft)
  }
  return (
    <form
      className="card"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <label htmlFor="message">Message</label>
      <div className="row">
        <input
          id="message"
          value={text}
          maxLength={280}
          autoComplete="off"
          placeholder="What is new?"
          onChange={({ target }) => setText(target.value)}
        />
        <button type="submit" disabled={!text.trim()}>
          Send
        </button>
      </div>
      {error && (
        <p className="alert" role="alert">
          {error.message}
        </p>
      )}
    </form>
  )
}

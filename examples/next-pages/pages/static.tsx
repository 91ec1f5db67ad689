import { useSession } from '@countersign/react'

/** Rendered once, when the application is built, for everyone: who is signed in shows as soon as the page knows. */
export default function Static() {
  const session = useSession()
  if (session.status === 'undefined') return <h1>One moment</h1>
  return <h1>{session.status === 'authenticated' ? `Hello, ${session.user.username}` : 'Nobody is signed in'}</h1>
}

import { getSession } from './session.ts'

/** A server component: none of this is sent to the browser as a script. */
export default async function Page() {
  const session = await getSession()
  if (session.status !== 'authenticated') return <h1>Nobody is signed in</h1>
  const { username, createdAt } = session.user
  return (
    <>
      <h1>Hello, {username}</h1>
      <p>Your account was made on {String(createdAt).slice(0, 10)}.</p>
    </>
  )
}

import { useUser } from '@countersign/react'
import type { GetServerSideProps } from 'next'
import Link from 'next/link'
import { getSession } from '../lib/session.ts'

/** `_app` hands the session to the provider, so that hooks have the user already when the page is rendered. */
export const getServerSideProps = (async ({ req }) => ({
  props: { session: await getSession(req) },
})) satisfies GetServerSideProps

export default function Home() {
  const user = useUser()
  return (
    <>
      <h1>{user ? `Hello, ${user.username}` : 'Nobody is signed in'}</h1>
      <Link href="/static">A page that was rendered beforehand</Link>
    </>
  )
}

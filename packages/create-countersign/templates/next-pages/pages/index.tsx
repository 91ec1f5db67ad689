import { getServerSession } from '@countersign/react/server'
import type { GetServerSideProps } from 'next'
import { App } from '../components/App.tsx'

/** `_app` hands the session to the provider, so that hooks know the user already when the page is rendered. */
export const getServerSideProps = (async ({ req }) => ({
  props: {
    session: await getServerSession({
      appId: '{{name}}',
      serverUrl: `${process.env.COUNTERSIGN_URL ?? 'http://localhost:1337'}/server`,
      headers: req.headers,
      onError: (error) => console.warn(error.message),
    }),
  },
})) satisfies GetServerSideProps

export default App

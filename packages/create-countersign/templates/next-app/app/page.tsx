import { Messages } from './messages.tsx'

export default function Page() {
  return <Messages />
}

// `?server=/server` if page and server share an origin; `?app=` names another application.
import { createClient, createDocument, initialize, signUp, watchDocuments } from '@countersign/react/core'

const options = new URLSearchParams(location.search)
const client = createClient({
  appId: options.get('app') ?? 'example',
  serverUrl: options.get('server') ?? 'http://localhost:1337/server',
  throwOnError: true,
})
const [form, status, save, list] = ['form', '#status', '#save', 'ul'].map((name) => document.querySelector(name))

client.session.subscribe(drawSession)
await initialize(client)
drawSession()

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const { username, password } = Object.fromEntries(new FormData(form))
  await signUp(client, { username, password }, { onError: ({ message }) => say(message) })
})

save.addEventListener('click', async () => {
  const { user } = client.session.get()
  await createDocument(client, 'Score', { player: user.username, points: Math.round(Math.random() * 1000) })
})

// Follows what everybody saves, as it is saved.
const scores = watchDocuments(client, 'Score', { order: ['-points'], limit: 10, live: true })
scores.subscribe(() => {
  const items = (scores.get().data ?? []).map(({ player, points }) => {
    const item = document.createElement('li')
    item.textContent = `${player}: ${points}`
    return item
  })
  list.replaceChildren(...items)
})

function drawSession() {
  const session = client.session.get()
  form.hidden = session.status === 'authenticated'
  save.hidden = session.status !== 'authenticated'
  if (session.status === 'authenticated') say(`Hello ${session.user.username}`)
}

function say(text) {
  status.textContent = text
}

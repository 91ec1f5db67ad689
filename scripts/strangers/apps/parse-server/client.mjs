// node client.mjs ADDRESS SESSION: what a client of this application does; prints what it sees.
import Parse from 'parse/node'

Parse.initialize('my-app')
Parse.serverURL = process.argv[2]

/** @param {string} [sessionToken] */
async function look(sessionToken) {
  const notes = await new Parse.Query('Note').ascending('text').include('author').find({ sessionToken })
  return {
    greeting: await Parse.Cloud.run('greet', {}, { sessionToken }),
    notes: notes.map((note) => ({ ...note.toJSON(), author: note.get('author')?.id })),
    members: await new Parse.Query('Member').find({ sessionToken }).then(
      (found) => found.map((member) => member.toJSON()),
      (error) => error.code,
    ),
    refused: await new Parse.Object('Note').save(null, { sessionToken }).then(
      () => 'saved',
      (error) => error.message,
    ),
  }
}
const ada = await Parse.User.logIn('ada', 'correct horse')
const wrong = await Parse.User.logIn('ada', 'wrong').catch((error) => error.code)
const seen = { nobody: await look(), ada: await look(ada.getSessionToken()), grace: await look(process.argv[3]) }
console.log(JSON.stringify({ id: ada.id, email: ada.get('email'), createdAt: ada.createdAt, wrong, ...seen }, null, 2))

Moralis.Cloud.define('averagePoints', async () => {
  const scores = await new Moralis.Query('Score').find({ useMasterKey: true })
  return scores.reduce((sum, score) => sum + score.get('points'), 0) / scores.length
})

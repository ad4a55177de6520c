import { VenueData } from '@venue-data/sdk'

const venue = new VenueData({
  key: process.env.API_KEY ?? '',
  baseUrl: 'http://127.0.0.1:8080',
})

const answer = await venue.me()
console.log(answer)

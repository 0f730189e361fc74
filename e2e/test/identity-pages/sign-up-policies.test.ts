import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { describe, expect } from 'vitest'
import { heading, shows, useBench } from './bench.ts'
import { acceptAtIssuer, forgetPeopleOfIssuer } from './issuer.ts'

describe('[W-130] where accounts are made by invitation', () => {
  const bench = useBench({ signUp: 'invited' })

  deepTest('[W-130] the sign-in page says so', async () => {
    await using visit = await bench.visit()
    await visit.page.goto(`${bench.site.url}/sign-in`)
    expect(await shows(visit.page.getByText('Accounts are by invitation only.'))).toBe(true)
    expect(await visit.page.getByRole('link', { name: 'Create an account' }).count()).toBe(0)
  })

  deepTest('[W-137] neither an issuer nor a passkey makes one', async () => {
    await forgetPeopleOfIssuer(bench.site)
    await using visit = await bench.visit()
    const { page } = visit
    await page.goto(`${bench.site.url}/sign-up?with=passkey`)
    expect(await shows(page.getByText('Sign-up is not available this way'))).toBe(true)
    await page.getByRole('link', { name: 'Sign in instead' }).click()
    await page.getByRole('button', { name: 'Continue with Acme' }).click()
    await acceptAtIssuer(page, 'ada')
    expect(await shows(page.getByText('You need an invitation to create an account here'))).toBe(true)
    expect(await heading(page, 'Sign in').isVisible()).toBe(true)
  })
})

describe('[W-130] where an issuer vouches for people', () => {
  const bench = useBench({ signUp: 'issuer' })

  test('[W-130] the sign-in page says that the account is made on the way', async () => {
    await using visit = await bench.visit()
    await visit.page.goto(`${bench.site.url}/sign-in`)
    expect(await shows(visit.page.getByText('Your account is created along the way.'))).toBe(true)
  })
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { Config, ConfigError, parseConfig } from '../../src/config/config.js'
import { writeConfigurationTable } from '../../src/dev/configuration-table.js'
import { root } from '../../src/dev/root.js'

const required = {
  DATABASE_URL: 'postgres://parley:secret@localhost:5432/parley',
  REDIS_URL: 'redis://localhost:6379',
  SECRET_KEY: 'x'.repeat(32),
}

describe('The configuration', () => {
  test('The configuration needs a database, a Redis and a secret, and has defaults for the rest.', () => {
    expect(parseConfig(required)).toMatchObject({ ...required, HOST: '127.0.0.1', PORT: 9991, RATE_LIMITS: 'on' })
  })

  test('The error names every invalid variable at once.', () => {
    const wrong = { ...required, SECRET_KEY: 'short', PORT: '99999', NODE_ENV: 'staging', DATABASE_URL: 'mysql://x' }
    const message = messageFor(wrong)
    for (const name of ['SECRET_KEY', 'PORT', 'NODE_ENV', 'DATABASE_URL']) expect(message).toContain(name)
    expect(message).not.toContain('REDIS_URL')
  })

  test('The error says that a missing variable is required.', () => {
    expect(messageFor({ ...required, REDIS_URL: undefined })).toMatch(/is required\s+→ at REDIS_URL/)
  })

  test('An empty variable counts as not set.', () => {
    expect(parseConfig({ ...required, PORT: '', ROOT_REALM: '' })).toMatchObject({ PORT: 9991 })
    expect(messageFor({ ...required, SECRET_KEY: '' })).toContain('SECRET_KEY')
  })

  test('The key of an S3 bucket needs both of its parts.', () => {
    expect(messageFor({ ...required, S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'me' })).toContain('S3_SECRET_ACCESS_KEY')
    const both = { S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'me', S3_SECRET_ACCESS_KEY: 'secret' }
    expect(parseConfig({ ...required, ...both })).toMatchObject({ ...both, S3_REGION: 'us-east-1' })
  })

  test('The parsed configuration is frozen.', () => {
    expect(Object.isFrozen(parseConfig(required))).toBe(true)
  })

  test('The table of variables in README.md is the one made from the schema.', () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8')
    expect(readme, 'README.md is out of date: run `npm run docs`').toBe(writeConfigurationTable(readme))
  })

  test('Every variable has a description, and the name of every number except the port ends in its unit.', () => {
    for (const [name, variable] of Object.entries(z.toJSONSchema(Config, { io: 'input' }).properties ?? {})) {
      const { description, type } = variable as { description?: string; type?: string }
      expect(description, name).toMatch(/\w/)
      if (/number|integer/.test(type ?? '') && !name.endsWith('PORT')) expect(name).toMatch(/_(MS|DAYS|MIB)$/)
    }
  })
})

function messageFor(env: Record<string, string | undefined>): string {
  try {
    parseConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return 'parseConfig accepted the configuration'
}

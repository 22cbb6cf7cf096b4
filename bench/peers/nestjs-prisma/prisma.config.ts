// The settings of `prisma generate`. No command here needs a database.

import { defineConfig } from "prisma/config";

export default defineConfig({ schema: "schema.prisma" });

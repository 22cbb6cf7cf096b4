// Where programs of tests find the clients in Python and PHP.

import { join } from "node:path";

export const clientsFolder = join(import.meta.dirname, "..", "..", "..", "clients");

/** For PYTHONPATH. */
export const pythonFolder = join(clientsFolder, "python", "src");

/** The start of a program in PHP. It loads classes as Composer's autoloader does. */
export const phpLoader = `<?php
spl_autoload_register(function (string $class): void {
    require '${join(clientsFolder, "php", "src")}/' . strtr($class, ['Disburse\\\\' => '', '\\\\' => '/']) . '.php';
});
`;

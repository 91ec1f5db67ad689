// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {recover, VALID, INVALID} from "./recover.sol";

/// One token with a price that anyone may pay.
contract Deed {
    address public holder;
    uint256 public constant price = 1 ether;

    constructor(address firstHolder) {
        holder = firstHolder;
    }

    function buy(address to) external payable {
        require(msg.value == price, "the price is one ether");
        holder = to;
    }
}

/// An account that belongs to the holder of a deed (after ERC-6551).
contract BoundAccount {
    Deed public immutable deed;

    constructor(Deed ownDeed) {
        deed = ownDeed;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        address signer = recover(hash, signature);
        return signer != address(0) && signer == deed.holder() ? VALID : INVALID;
    }
}

/// Deploys bound accounts for anyone, to addresses that follow from the deed.
contract BoundAccountRegistry {
    function createAccount(Deed deed) external returns (BoundAccount account) {
        account = new BoundAccount{salt: bytes32(0)}(deed);
    }
}

/// Has the money for a deed, and buys it in whichever call asks for that.
contract Buyer {
    receive() external payable {}

    function prepare(Deed deed, address to) external {
        deed.buy{value: deed.price()}(to);
    }

    function prepareAndCreate(Deed deed, address to, BoundAccountRegistry registry) external {
        deed.buy{value: deed.price()}(to);
        registry.createAccount(deed);
    }
}

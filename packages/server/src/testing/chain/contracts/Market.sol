// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// Listings, sales and what people say of them: events of every shape.
contract Market {
    struct Terms {
        uint256 price;
        address token;
        Part[] parts;
    }

    struct Part {
        uint8 kind;
        string label;
    }

    event Listed(uint256 indexed id, address indexed seller, uint256 price, uint32 expires);
    event Sold(uint256 indexed id, address indexed seller, address indexed buyer, uint256 price);
    event Canceled(uint256 indexed id, address indexed seller);
    event Described(uint256 indexed id, string indexed tag, Terms terms, bytes32[] marks, int256[2] range);
    event Noted(uint256 indexed id, string text, bytes raw, bool open, int128 delta);

    function list(uint256 id, address seller, uint256 price, uint32 expires) external {
        emit Listed(id, seller, price, expires);
    }

    function listMany(uint256 first, uint256 count, address seller) external {
        for (uint256 at = 0; at < count; at++) emit Listed(first + at, seller, at * 1 ether, uint32(at));
    }

    function buy(uint256 id, address seller, address buyer, uint256 price) external {
        emit Sold(id, seller, buyer, price);
    }

    function cancel(uint256 id, address seller) external {
        emit Canceled(id, seller);
    }

    function describe(
        uint256 id,
        string calldata tag,
        Terms calldata terms,
        bytes32[] calldata marks,
        int256[2] calldata range
    ) external {
        emit Described(id, tag, terms, marks, range);
    }

    function note(uint256 id, string calldata text, bytes calldata raw, bool open, int128 delta) external {
        emit Noted(id, text, raw, open, delta);
    }
}

/// Makes markets; each may list something in the transaction that makes it.
contract MarketFactory {
    event Opened(address indexed owner, address market);

    function open(uint256 listings) external returns (address) {
        Market market = new Market();
        emit Opened(msg.sender, address(market));
        if (listings > 0) market.listMany(0, listings, msg.sender);
        return address(market);
    }
}
